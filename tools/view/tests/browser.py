"""Pages of `sconce view` in a browser: clicks, keys, search, places of boxes, hostile names, accessibility. Run by `cargo xtask viewer`.

    python browser.py CHROMIUM SCONCE FOLDER [MODEL ...]

With models their pages are tested in place of its own programs: when they are painted, places of boxes, accessibility.
"""

import json
import subprocess
import sys
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

BROWSER, SCONCE, FOLDER, MODELS = sys.argv[1], sys.argv[2], Path(sys.argv[3]), [Path(model) for model in sys.argv[4:]]

CONTROL_FLOW = """
import torch

class Step(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Step()
        self.second = Step()

    def forward(self, x, n: int):
        y = self.first(x)
        for i in range(n):
            if bool(y.sum() > i):
                y = self.second(y) + x
            else:
                y = y * 2
        return y
"""

# Names that would be markup, script or something else than text if anything took them for it.
HOSTILE = """graph(%x : Tensor):
  %a : str = prim::Constant[value="</script><script>document.title='taken'</script>\\"'&\u2028\u2029"]()
  %b : Tensor = evil::operator[name="<img onerror=document.title='taken'>", text="LONG"](%x, %a), scope: <b>/</script>/__proto__ # </script>.py:1:0
  %c : Tensor = __proto__::constructor(%b)
  return (%c)
"""


def chain(length):
    """A function with so many nodes in a row."""
    lines = ["graph(%x0 : Tensor):"]
    lines += [f"  %x{i + 1} : Tensor = aten::{('relu', 'tanh', 'sigmoid')[i % 3]}(%x{i})" for i in range(length)]
    return "\n".join([*lines, f"  return (%x{length})", ""])


def programs():
    """Names, and arguments of the command."""
    written = {
        "control_flow.py": CONTROL_FLOW,
        "chain.txt": chain(5000),
        "hostile.txt": HOSTILE.replace("LONG", "long " * 200_000),
    }
    for name, text in written.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    return {
        "lstm_cell": ["examples/lstm_cell/lstm_cell.txt", "--inputs", "examples/lstm_cell/inputs.safetensors"],
        "vit_tiny": ["examples/vit_tiny/model.pt", "--inputs", "examples/vit_tiny/inputs.safetensors"],
        "detector": ["examples/detector/model.pt"],
        "classifier": ["examples/ahead_of_time/model.py", "--entry", "Classifier().eval()"],
        "control_flow": [str(FOLDER / "control_flow.py"), "--entry", "Net()", "-i", "2x4xf32", "-i", "3"],
        "chain": [str(FOLDER / "chain.txt")],
        "hostile": [str(FOLDER / "hostile.txt")],
    }


def make(name, arguments):
    path = FOLDER / f"{name}.html"
    subprocess.run([SCONCE, "view", *arguments, "-o", str(path)], check=True)
    return path


# Boxes of which neither is in the other, and that share more than a pixel's edge; and boxes that leave the one around them.
MISPLACED = """() => {
  const all = [...document.querySelectorAll('svg [data-key]')].map((g) => {
    const r = g.querySelector('rect');
    const [x, y, w, h] = ['x', 'y', 'width', 'height'].map((name) => Number(r.getAttribute(name)));
    return { key: g.dataset.key, x, y, right: x + w, bottom: y + h };
  });
  const wrong = [];
  all.forEach((a, i) => all.slice(i + 1).forEach((b) => {
    const [outer, inner] = a.key.length < b.key.length ? [a, b] : [b, a];
    const over = Math.min(a.right, b.right) - Math.max(a.x, b.x) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 0.5;
    const holds = inner.key.startsWith(outer.key + '/');
    const leaves = inner.x < outer.x - 0.5 || inner.right > outer.right + 0.5 || inner.y < outer.y - 0.5 || inner.bottom > outer.bottom + 0.5;
    if (holds ? leaves : over) wrong.push(a.key + ' ' + b.key);
  }));
  return [all.length, wrong];
}"""

CLOSED = "svg [role=button][aria-expanded=false]"


class Tests:
    def __init__(self, page, axe):
        self.page, self.axe, self.passed, self.failed = page, axe, 0, 0
        self.complaints = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self.request)

    def request(self, request):
        if not request.url.startswith("file:"):
            self.complaints.append(f"asks for {request.url}")

    def check(self, what, holds, why=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what} {why}")

    def open(self, path):
        self.page.goto(path.absolute().as_uri())
        self.page.wait_for_selector("html[data-painted]")

    def text(self, selector):
        return self.page.locator(selector).first.text_content()

    def document(self):
        return json.loads(self.text("#document"))

    # -- what holds of every page

    def every(self, name, path):
        self.open(path)
        painted = self.page.locator("html").get_attribute("data-painted")
        self.unmisplaced(name)
        self.accessible(name)
        opened = self.open_boxes(40)
        boxes = self.unmisplaced(f"{name}, opened")
        self.accessible(f"{name}, opened")
        nodes = sum(len(f["nodes"]) for f in self.document()["functions"])
        print(f"{name}: {path.stat().st_size} bytes, {nodes} nodes, painted after {painted} ms; {opened} opened, {boxes} boxes")
        self.check(f"{name}: nothing to complain of", not self.complaints, self.complaints)
        self.complaints.clear()

    def open_boxes(self, most):
        for count in range(most):
            box = self.page.locator(CLOSED).first
            if box.count() == 0:
                return count
            box.focus()
            self.page.keyboard.press("Enter")
        return most

    def unmisplaced(self, name):
        boxes, wrong = self.page.evaluate(MISPLACED)
        self.check(f"{name}: boxes do not overlap", not wrong, wrong[:3])
        self.check(f"{name}: there are boxes", boxes > 1)
        return boxes

    def accessible(self, name):
        for theme in ("light", "dark"):
            self.page.emulate_media(color_scheme=theme)
            violations = self.axe.run(self.page).response["violations"]
            told = [(v["id"], v["nodes"][0]["html"][:200], v["nodes"][0]["failureSummary"][:300]) for v in violations]
            self.check(f"{name}: accessible, {theme}", not told, told)

    # -- what one page shows

    def selection(self, path):
        page = self.page
        self.open(path)
        page.locator("svg [role=button]", has_text="first.forward").click()
        self.check("a click marks source", "self.first(x)" in self.marked("Source"), self.marked("Source"))
        self.check("a click marks the graph", 'name="forward"' in self.marked("Graph"), self.marked("Graph"))
        page.get_by_role("button", name="TorchScript").click()
        self.check("a click marks TorchScript", "(first).forward(x, )" in self.marked("TorchScript"), self.marked("TorchScript"))
        page.get_by_role("button", name="TorchScript").click()
        self.check("a selection has not moved", "first.forward" in page.locator("svg .selected").get_attribute("aria-label"))
        self.check("a click selects in the outline", "first.forward" in self.text("[role=treeitem][aria-selected=true] > .label"))
        self.check("details say what is selected", "prim::CallMethod" in self.text("section[aria-label=Details]"))
        page.locator("section[aria-label=Source] .line", has_text="y = y * 2").click()
        self.check("a line opens what is around its node", page.locator("svg .selected").get_attribute("aria-label").startswith("aten::mul"))
        blocks = page.locator("svg .box.block .name").all_text_contents()
        self.check("branches and loops are boxes", {"− body", "− then", "− else"} <= set(blocks), blocks)
        page.locator("section[aria-label=Graph] .line", has_text="aten::relu").click()
        self.check("a line of a graph opens a call", page.locator("svg .selected").get_attribute("aria-label").startswith("aten::relu"))
        self.check("and marks its source", "torch.relu" in self.marked("Source"), self.marked("Source"))
        document = self.document()
        seen = [v for f in document["functions"] for v in f["values"] if v.get("seen") == ["float32[2, 4]"]]
        self.check("a call says types", len(seen) >= 4, len(seen))
        result = document["functions"][0]["values"][document["functions"][0]["blocks"][0]["outputs"][0]]
        self.check("results of calls and loops have them too", result["seen"] == ["float32[2, 4]"], result)
        self.check("a call says times", document["profile"]["placed"])

    def marked(self, pane):
        return " ".join(self.page.locator(f"section[aria-label={pane}] .line[aria-selected=true]").all_text_contents())

    def keyboard(self, path):
        page = self.page
        self.open(path)
        press = page.keyboard.press
        focused = "document.activeElement.getAttribute('aria-label')"
        page.locator("[role=treeitem]").first.focus()
        press("ArrowDown")
        self.check("down goes to the first box", page.evaluate(focused).startswith("first.forward"), page.evaluate(focused))
        press("ArrowRight")
        self.check("right opens", page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true")
        press("ArrowRight")
        self.check("right goes in", page.evaluate(focused).startswith("linear.forward"), page.evaluate(focused))
        press("ArrowLeft")
        press("ArrowLeft")
        self.check("left goes out and closes", page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false")
        page.locator("svg [role=button]", has_text="first.forward").focus()
        press("ArrowDown")
        self.check("down follows a value", page.evaluate(focused).startswith("prim::Loop"), page.evaluate(focused))
        press("Enter")
        self.check("Enter opens", page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true")
        press("Escape")
        self.check("Escape goes out", page.evaluate(focused).startswith("forward"), page.evaluate(focused))

    def search(self, path):
        page = self.page
        self.open(path)
        page.locator("[role=treeitem]").first.focus()
        page.keyboard.press("/")
        page.keyboard.type("second")
        self.check("a module's path is found", "second.forward" in self.text("#results"), self.text("#results"))
        page.keyboard.press("Escape")
        page.keyboard.type("aten::mul")
        page.keyboard.press("Enter")
        self.check("an operator is gone to", page.locator("svg .selected").get_attribute("aria-label").startswith("aten::mul"))
        self.check("the outline has the focus", page.evaluate("document.activeElement.getAttribute('role')") == "treeitem")
        page.keyboard.press("/")
        page.keyboard.type("%y.5")
        self.check("a value's name is found", "%y.5" in self.text("#results"), self.text("#results"))

    def buttons(self, path):
        page = self.page
        self.open(path)
        back = "getComputedStyle(document.body).backgroundColor"
        page.emulate_media(color_scheme="dark")
        dark = page.evaluate(back)
        page.get_by_role("button", name="Theme").click()
        self.check("a theme is chosen", page.evaluate(back) == "rgb(255, 255, 255)" != dark)
        page.get_by_role("button", name="Weights").click()
        self.check("weights are listed", "first.linear.weight" in self.text("section[aria-label=Weights]"))
        page.get_by_role("button", name="Totals").click()
        self.check("operators are counted", "aten::linear" in self.text("section[aria-label=Totals]"))
        page.get_by_role("button", name="Times").click()
        self.check("times go", page.locator("svg .heat5").count() == 0)
        self.open_boxes(20)
        page.get_by_role("button", name="Collapse all").click()
        self.check("all is closed", page.locator("[role=treeitem][aria-expanded=true]").count() == 1)
        box = page.locator("svg [role=button]", has_text="first.forward")
        for what, state in (("opens", "true"), ("closes", "false")):
            box.dblclick(position={"x": 40, "y": 12})
            self.check(f"a double click {what}", box.first.get_attribute("aria-expanded") == state)
        page.get_by_role("button", name="Fit").click()
        self.check("all is in sight", page.evaluate("canvas => canvas.scrollWidth <= canvas.clientWidth + 1", page.locator("#canvas").element_handle()))
        self.accessible("with weights and totals")

    def hostile(self, path):
        self.open(path)
        self.open_boxes(10)
        page = self.page
        self.check("a name is no script", page.title() == "hostile.txt", page.title())
        self.check("a name is no element", page.locator("img").count() == 0)
        self.check("a long name is cut", path.stat().st_size < 1_000_000, path.stat().st_size)
        page.locator("svg [role=button]", has_text="evil::operator").first.click()
        self.check("a name is shown", "<img onerror" in self.text("section[aria-label=Details]"))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    shown = {f"{model.parent.name}-{model.stem}": [str(model)] for model in MODELS} or programs()
    pages = {name: make(name, arguments) for name, arguments in shown.items()}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        tests = Tests(page, Axe())
        for name, path in pages.items():
            tests.every(name, path)
        if not MODELS:
            tests.selection(pages["control_flow"])
            tests.keyboard(pages["control_flow"])
            tests.search(pages["control_flow"])
            tests.buttons(pages["control_flow"])
            tests.hostile(pages["hostile"])
        tests.check("no page complained", not tests.complaints, tests.complaints)
        browser.close()
    print(f"{tests.passed} passed, {tests.failed} failed")
    return 1 if tests.failed else 0


sys.exit(main())
