"""Records quantized.jsonl, one line a call of an operator of quantized tensors: python quantized.py > quantized.jsonl   (PyTorch 2.15)"""
import json, os, sys, warnings
warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tools/conformance"))
import torch
from recording import pattern as T

torch.backends.quantized.engine="fbgemm"
D={torch.quint8:"quint8",torch.qint8:"qint8",torch.qint32:"qint32"}
def op(name):
    ns,rest=name.split("::"); base,_,ov=rest.partition(".")
    return getattr(getattr(getattr(torch.ops,ns),base),ov or "default")
class C:
    def __init__(s,name,*a): s.name,s.a=name,a
def value(v):
    return op(v.name)(*[value(x) for x in v.a]) if isinstance(v,C) else [value(x) for x in v] if isinstance(v,list) else v
def enc(v):
    if isinstance(v,C): return {"call":v.name,"args":[enc(x) for x in v.a]}
    if isinstance(v,torch.Tensor):
        if v.is_quantized:
            d={"q":D[v.dtype],"s":list(v.shape),"d":v.int_repr().flatten().tolist()}
            if v.qscheme()==torch.per_tensor_affine: d.update(scale=v.q_scale(),zero=v.q_zero_point())
            else: d.update(scales=v.q_per_channel_scales().tolist(),zeros=v.q_per_channel_zero_points().tolist(),axis=v.q_per_channel_axis(),float=v.q_per_channel_zero_points().is_floating_point())
            return d
        k={torch.float32:"f32",torch.float64:"f64",torch.int64:"i64",torch.uint8:"u8",torch.int8:"i8",torch.int32:"i32",torch.bool:"bool"}[v.dtype]
        return {"t":k,"s":list(v.shape),"d":[float("%.9g"%x) if isinstance(x,float) else int(x) for x in v.flatten().tolist()]}
    if isinstance(v,(list,tuple)): return [enc(x) for x in v]
    if v is None or isinstance(v,(bool,int,float,str)): return v
    if isinstance(v,torch.dtype): return {"dtype":str(v).split(".")[1]}
    if isinstance(v,torch.qscheme): return {"qscheme":str(v).split(".")[1]}
    if isinstance(v,torch.ScriptObject): return {"object":True}
    raise TypeError(type(v))
rows=[]
def rec(name,*a):
    try:
        args=[value(x) for x in a]; before=[enc(x) for x in a]
        r=op(name)(*args)
        rows.append({"op":name,"args":before,"out":enc(r)})
    except Exception as e: print("RECORD",name,str(e)[:200],file=sys.stderr)
Q=torch.quantize_per_tensor
q=Q(T(2,6)*2,.03,100,torch.quint8); p=Q(T(2,6,off=4)*2,.05,60,torch.quint8); n=Q(T(2,6)*2,.03,-9,torch.qint8)
for o in ("hardswish","sigmoid"): rec("quantized::"+o,q,.04,70)
rec("quantized::hardswish",n,.04,7); rec("quantized::leaky_relu",q,.2,False,.04,90); rec("quantized::elu",q,.04,60,1.,1.,1.); rec("quantized::celu",q,.04,60,1.3); rec("quantized::softmax",q,1,1/256,0); rec("quantized::prelu",q,Q(torch.tensor([.25]),.01,0,torch.quint8),.04,80)
rec("quantized::layer_norm",q,[6],None,None,1e-5,.03,128); im=Q(T(2,4,3,3)*2,.03,100,torch.quint8); w=torch.tensor([1.,.5,-2.,.7])
rec("quantized::group_norm",im,2,w,w,1e-5,.03,128); rec("quantized::instance_norm",im,w,w,1e-5,.03,128)
for d,t in (("",im),("2d",im),("1d",Q(T(2,4,5),.03,100,torch.quint8)),("3d",Q(T(1,4,2,2,3),.03,100,torch.quint8))):
    for r in ("","_relu"): rec(f"quantized::batch_norm{d}{r}",t,w,w,w,w.abs(),1e-5,.05,80)
rec("aten::quantized_batch_norm",im,w,w,w,w.abs(),1e-5,.05,80)
rec("quantized::relu6",Q(T(2,6)*5,.1,30,torch.quint8)); rec("quantized::clamp",q,-.5,1.01); rec("quantized::threshold",q,.5,.2); rec("quantized::dropout",q,.03,100,.5,False)
for o in ("add","mul"):
    for r in ("","_relu"):
        rec(f"quantized::{o}{r}",q,p,.07,90); rec(f"quantized::{o}{r}.out",q,p,Q(torch.zeros(2,6),.07,90,torch.quint8)); rec(f"quantized::{o}{r}_out",q,p,Q(torch.zeros(2,6),.06,80,torch.quint8))
        for b in (1.5,-2.0,50.0): rec(f"quantized::{o}{r}.Scalar",q,b); rec(f"quantized::{o}{r}.Scalar2",b,n); rec(f"quantized::{o}_scalar{r}",q,-b); rec(f"quantized::{o}_scalar{r}.Tensor",n,torch.tensor(b))
rec("quantized::add",n,Q(T(2,6),.05,-60,torch.qint8),.07,3)
rec("quantized::cat",[q,p],1,.04,80); rec("quantized::cat",[q,p],0,None,None); rec("quantized::cat_relu",[q,p],0,.04,80); rec("quantized::matmul",q,p.t().contiguous(),.3,128)
rec("quantized::max_pool2d",im,[2,2],[1,1],[0,0],[1,1],False); rec("quantized::max_pool1d",Q(T(2,3,8),.03,100,torch.quint8),[2],[2],[0],[1],False)
rec("aten::quantized_max_pool2d",im,[2,2],[1,1]); rec("aten::quantized_max_pool1d",Q(T(2,3,8),.03,100,torch.quint8),[2],[2]); rec("aten::quantized_max_pool3d",Q(T(1,2,4,4,4),.03,100,torch.quint8),[2,2,2],[2,2,2])
W=torch.quantize_per_channel(T(4,6),torch.tensor([.02,.03,.01,.04]),torch.zeros(4).long(),0,torch.qint8); B=T(4,off=3)
L=C("quantized::linear_prepack",W,B); H=C("quantized::linear_prepack_fp16",T(4,6),B); x=T(3,6)
for o in ("linear","linear_relu"): rec("quantized::"+o,q,L,.1,50)
torch.backends.quantized.engine="onednn"; rec("quantized::linear_leaky_relu",q,L,.1,50,.1); rec("quantized::linear_tanh",q,L,.01,128); torch.backends.quantized.engine="fbgemm"
for o in ("linear_dynamic","linear_relu_dynamic"):
    for r in (True,False): rec("quantized::"+o,x,L,r)
rec("quantized::linear_dynamic_fp16",x,H); rec("quantized::linear_relu_dynamic_fp16",x,H); rec("quantized::linear_unpack",L); rec("quantized::linear_unpack_fp16",H)
rec("quantized::linear_with_input_q_dq_qweight_dq_output_fp32",x,.03,100,L); rec("quantized::linear_with_input_q_dq_qweight_dq_relu_output_fp32",x,.03,100,L)
def kernel(*s): return Q(T(*s),.03,0,torch.qint8)
b2=T(2,off=3)
shapes={"1d":((2,4,5),(2,2,3)),"2d":((2,4,5,4),(2,2,3,2)),"3d":((1,4,3,4,3),(2,2,2,3,2))}
for d,(xs,ks) in shapes.items():
    k=len(ks)-2; img=Q(T(*xs)*2,.03,100,torch.quint8); fi=T(*xs)
    P=C(f"quantized::conv{d}_prepack",kernel(*ks),b2,[1]*k,[1]*k,[1]*k,2)
    TP=C(f"quantized::conv_transpose{d}_prepack",kernel(4,2,*ks[2:]),b2,[2]*k,[0]*k,[0]*k,[1]*k,1)
    new=".new" if d!="1d" else ""
    rec(f"quantized::conv{d}{new}",img,P,.1,50); rec(f"quantized::conv{d}_relu{new}",img,P,.1,50); rec(f"quantized::conv{d}_unpack",P)
    if new: rec(f"quantized::conv{d}",img,P,[1]*k,[1]*k,[1]*k,2,.1,50); rec(f"quantized::conv{d}_relu",img,P,[1]*k,[1]*k,[1]*k,2,.1,50)
    rec(f"quantized::conv{d}_dynamic",fi,P,True)
    rec(f"quantized::conv_transpose{d}",img,TP,.1,50); rec(f"quantized::conv_transpose{d}_unpack",TP); rec(f"quantized::conv_transpose{d}_dynamic",fi,TP,True)
    if d!="1d":
        for s in ("stride","padding","output_padding","dilation","groups","transpose"):
            rec(f"quantized::conv{d}_{s}",P); rec(f"quantized::conv_transpose{d}_{s}",TP)
P=C("quantized::conv_prepack",kernel(2,4,3,2),b2,[1,1],[1,1],[1,1],1); rec("quantized::conv_unpack",P)
img=Q(T(2,4,5,4)*2,.03,100,torch.quint8)
torch.backends.quantized.engine="onednn"
P2=C("quantized::conv2d_prepack",kernel(2,4,3,3),b2,[1,1],[1,1],[1,1],1); acc=Q(T(2,2,5,4),.05,60,torch.quint8)
rec("quantized::conv2d_add",img,acc.contiguous(memory_format=torch.channels_last),P2,.1,50); rec("quantized::conv2d_add_relu",img,acc.contiguous(memory_format=torch.channels_last),P2,.1,50)
torch.backends.quantized.engine="fbgemm"
E=C("quantized::embedding_bag_prepack",torch.quantize_per_channel(T(3,8),torch.tensor([.1,.02,.3]),torch.tensor([.5,3.,1.25]),0,torch.quint8))
rec("quantized::embedding_byte",E,torch.tensor([2,0,1,1]),False); rec("quantized::embedding_bag_byte",E,torch.tensor([2,0,1,1]),torch.tensor([0,1]),False,0,False,None,None,False); rec("quantized::embedding_bag_unpack",E)
g=lambda r,c:Q(T(r,c),.02,0,torch.qint8)
hx=T(3,5,off=2); xx=T(3,6)
def cell(k): return C("quantized::linear_prepack",g(k*5,6),T(k*5)), C("quantized::linear_prepack",g(k*5,5),T(k*5,off=1))
a,b=cell(4); rec("quantized::quantized_lstm_cell_dynamic",xx,[hx,hx*.5],a,b,T(20),T(20,off=1))
a,b=cell(3); rec("quantized::quantized_gru_cell_dynamic",xx,hx,a,b,T(15),T(15,off=1))
a,b=cell(1); rec("quantized::quantized_rnn_tanh_cell_dynamic",xx,hx,a,b,T(5),T(5,off=1)); rec("quantized::quantized_rnn_relu_cell_dynamic",xx,hx,a,b,T(5),T(5,off=1))
a,b=cell(4); cp=C("quantized::make_quantized_cell_params_dynamic",a,b,T(20),T(20,off=1),True); s=T(1,3,5)
ha,hb=C("quantized::linear_prepack_fp16",T(20,6),T(20)),C("quantized::linear_prepack_fp16",T(20,5),T(20,off=1)); hp=C("quantized::make_quantized_cell_params_fp16",ha,hb)
def cells(name,*a): rec(name,*a)
cells("aten::quantized_lstm.input",T(4,3,6),[s,s],[cp],True,1,0.,False,False,False); cells("aten::quantized_lstm.input",T(4,3,6),[s,s],[hp],True,1,0.,False,False,False)
cells("aten::quantized_lstm.data",T(6,6),torch.tensor([3,2,1]),[s,s],[cp],True,1,0.,False,False)
a,b=cell(3); gp=C("quantized::make_quantized_cell_params_dynamic",a,b,T(15),T(15,off=1),True)
cells("aten::quantized_gru.input",T(4,3,6),s,[gp],True,1,0.,False,False,False); cells("aten::quantized_gru.data",T(6,6),torch.tensor([3,2,1]),s,[gp],True,1,0.,False,False)
e=torch.cat([torch.arange(-5,6)/2.,torch.tensor([1e4,-1e4,127.5,-128.5,0.])])
for d in (torch.quint8,torch.qint8,torch.qint32):
    rec("aten::quantize_per_tensor",e,1.,1,d); rec("aten::quantize_per_tensor",e*.0317,.0317,100,d); rec("aten::quantize_per_tensor.tensor_qparams",e,torch.tensor(.5),torch.tensor(3),d)
rec("aten::quantize_per_tensor.tensors",[e,e+1],torch.tensor([.5,2.]),torch.tensor([3,5]),torch.quint8)
rec("aten::quantize_per_channel",T(3,4),torch.tensor([.1,.02,.3]),torch.tensor([0,3,7]),0,torch.quint8); rec("aten::quantize_per_channel",T(3,4),torch.tensor([.1,.02,.3,1.]),torch.tensor([0.,3.5,7.,1.]),1,torch.quint8)
for d in (torch.quint8,torch.qint8):
    for r in (False,True): rec("aten::quantize_per_tensor_dynamic",e,d,r); rec("aten::quantize_per_tensor_dynamic",e*0,d,r); rec("aten::quantize_per_tensor_dynamic",e*1e-9,d,r)
rec("aten::dequantize.self",q); rec("aten::dequantize.self",W); rec("aten::dequantize.tensors",[q,n]); rec("aten::int_repr",n); rec("aten::q_scale",q); rec("aten::q_zero_point",q); rec("aten::q_per_channel_scales",W); rec("aten::q_per_channel_zero_points",W); rec("aten::q_per_channel_axis",W)
rec("aten::_make_per_tensor_quantized_tensor",torch.arange(6,dtype=torch.uint8),.5,3); rec("aten::_make_per_channel_quantized_tensor",torch.arange(6,dtype=torch.int8).view(2,3),torch.tensor([.5,1.]).double(),torch.tensor([1,2]),0)
rec("aten::fake_quantize_per_tensor_affine",e,.5,3,0,255); rec("aten::fake_quantize_per_tensor_affine.tensor_qparams",e,torch.tensor(.5),torch.tensor(3,dtype=torch.int32),0,255); rec("aten::fake_quantize_per_tensor_affine_cachemask",e,.5,3,0,255); rec("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",e,torch.tensor([.5]),torch.tensor([3],dtype=torch.int32),torch.tensor([1]),0,255)
fz=torch.tensor([3,0,7],dtype=torch.int32); rec("aten::fake_quantize_per_channel_affine",T(3,4)*9,torch.tensor([.1,.2,.3]),fz,0,0,100); rec("aten::fake_quantize_per_channel_affine_cachemask",T(3,4)*9,torch.tensor([.1,.2,.3]),fz,0,0,100)
for r in rows: print(json.dumps(r,separators=(",",":")))
print(len(rows),len({r["op"] for r in rows}),file=sys.stderr)
