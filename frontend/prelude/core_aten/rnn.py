# Recurrent layers, one step after the other.


def weights(params, has_biases, projected):
    """The weights of each layer and direction: for the input, for the state, their biases, and for the projection."""
    per = (4 if has_biases else 2) + (1 if projected else 0)
    all_weights = []
    for start in range(0, len(params), per):
        own = params[start : start + per]
        biases = own[2:4] if has_biases else [None, None]
        all_weights.append([own[0], own[1], biases[0], biases[1], own[-1] if projected else None])
    return all_weights


def layers(kind, x, hidden, params, num_layers, dropout, train, bidirectional):
    """The output and the last states of all layers; `hidden` is a list of states, of which LSTMs have two each."""
    last = []
    count = 2 if bidirectional else 1
    for layer in range(num_layers):
        outputs = []
        for direction in range(count):
            at = layer * count + direction
            output, state = one_layer(kind, x, hidden[at], params[at], direction == 1)
            outputs.append(output)
            last.append(state)
        x = aten.cat.default(outputs, outputs[0].ndim - 1) if bidirectional else outputs[0]
        if dropout > 0.0 and train and layer < num_layers - 1:
            x = aten.dropout.default(x, dropout, True)
    return x, last


def one_layer(kind, x, hidden, params, backward):
    states = []
    if kind == "lstm":
        states = [aten.unsqueeze.default(state, 0) for state in hidden]
    inputs = aten.linear.default(x, params[0], params[2])
    if backward:
        inputs = aten.flip.default(inputs, [0])
    if kind != "lstm":
        states = [aten.unsqueeze.default(state, 0) for state in hidden]
    outputs = []
    for step in aten.unbind.int(inputs, 0):
        if kind == "lstm":
            states = lstm_step(step, states, params)
        elif kind == "gru":
            states = gru_step(step, states, params)
        else:
            sums = aten.add.Tensor(aten.linear.default(states[0], params[1], params[3]), step)
            states = [aten.tanh.default(sums) if kind == "tanh" else aten.relu.default(sums)]
        outputs.append(states[0])
    if backward:
        outputs = list(reversed(outputs))
    output = aten.cat.default(outputs, 0)
    return output, [aten.squeeze.dim(state, 0) for state in states]


def lstm_step(step, states, params):
    gates = aten.add.Tensor(aten.linear.default(states[0], params[1], params[3]), step)
    return lstm_gates(gates, states, params[4])


def lstm_gates(gates, states, projection):
    first, second, third, fourth = aten.chunk.default(gates, 4, gates.ndim - 1)
    entering = aten.sigmoid.default(first)
    kept = aten.sigmoid.default(second)
    new = aten.tanh.default(third)
    shown = aten.sigmoid.default(fourth)
    cell = aten.add.Tensor(aten.mul.Tensor(kept, states[1]), aten.mul.Tensor(entering, new))
    hidden = aten.mul.Tensor(shown, aten.tanh.default(cell))
    if projection is not None:
        hidden = aten.linear.default(hidden, projection)
    return [hidden, cell]


def gru_step(step, states, params):
    hidden = states[0]
    ins = aten.chunk.default(step, 3, step.ndim - 1)
    outs = aten.chunk.default(aten.linear.default(hidden, params[1], params[3]), 3, hidden.ndim - 1)
    reset = aten.sigmoid.default(aten.add.Tensor(outs[0], ins[0]))
    update = aten.sigmoid.default(aten.add.Tensor(outs[1], ins[1]))
    new = aten.tanh.default(aten.add.Tensor(ins[2], aten.mul.Tensor(outs[2], reset)))
    return [aten.add.Tensor(aten.mul.Tensor(aten.sub.Tensor(hidden, new), update), new)]


def recurrent(kind, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    hidden = [[state] for state in aten.unbind.int(hx, 0)]
    x = aten.transpose.int(input, 0, 1) if batch_first else input
    x, last = layers(kind, x, hidden, weights(params, has_biases, False), num_layers, dropout, train, bidirectional)
    if batch_first:
        x = aten.transpose.int(x, 0, 1)
    return x, aten.stack.default([state[0] for state in last], 0)


@core("aten::rnn_tanh.input")
def rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    return recurrent("tanh", input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


@core("aten::rnn_relu.input")
def rnn_relu(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    return recurrent("relu", input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


@core("aten::gru.input")
def gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    return recurrent("gru", input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)


@core("aten::lstm.input")
def lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
    states = aten.unbind.int(hx[0], 0)
    cells = aten.unbind.int(hx[1], 0)
    hidden = [[state, cell] for state, cell in zip(states, cells)]
    x = aten.transpose.int(input, 0, 1) if batch_first else input
    projected = hx[0].size(2) != hx[1].size(2)
    x, last = layers("lstm", x, hidden, weights(params, has_biases, projected), num_layers, dropout, train, bidirectional)
    if batch_first:
        x = aten.transpose.int(x, 0, 1)
    hidden = aten.stack.default([state[0] for state in last], 0)
    return x, hidden, aten.stack.default([state[1] for state in last], 0)


@composite("aten::lstm_cell")
def lstm_cell(input, hx, w_ih, w_hh, b_ih, b_hh):
    own = aten.linear.default(hx[0], w_hh, b_hh)
    gates = aten.add.Tensor(own, aten.linear.default(input, w_ih, b_ih))
    states = lstm_gates(gates, hx, None)
    return states[0], states[1]


@composite("aten::gru_cell")
def gru_cell(input, hx, w_ih, w_hh, b_ih, b_hh):
    return gru_step(aten.linear.default(input, w_ih, b_ih), [hx], [w_ih, w_hh, b_ih, b_hh])[0]


@composite("aten::rnn_tanh_cell")
def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih, b_hh):
    own = aten.linear.default(hx, w_hh, b_hh)
    return aten.tanh.default(aten.add.Tensor(own, aten.linear.default(input, w_ih, b_ih)))


@composite("aten::rnn_relu_cell")
def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih, b_hh):
    own = aten.linear.default(hx, w_hh, b_hh)
    return aten.relu.default(aten.add.Tensor(own, aten.linear.default(input, w_ih, b_ih)))
