// Dragging a piece to where it goes.

const THRESHOLD = 6; // pixels before a press becomes a drag

export class Drag {
  constructor(board) {
    this.board = board;
    this.key = null;
    this.isDragging = false;
    this.swallow = false;
    const { surface } = board;
    surface.addEventListener("pointerdown", (event) => this.begin(event));
    surface.addEventListener("pointermove", (event) => this.move(event));
    surface.addEventListener("pointerup", (event) => this.end(event));
    surface.addEventListener("pointercancel", () => this.cancel());
  }

  begin(event) {
    const { board } = this;
    this.swallow = false;
    const key = event.target.closest?.("[data-key]")?.getAttribute("data-key");
    if (event.button !== 0 || !key || board.module.chooses_sets || !board.module.token || board.movesFrom(key).length === 0) return;
    this.key = key;
    this.from = [event.clientX, event.clientY];
    this.pointer = event.pointerId;
  }

  move(event) {
    if (this.key === null || event.pointerId !== this.pointer) return;
    const [x, y] = this.from;
    if (!this.isDragging && Math.hypot(event.clientX - x, event.clientY - y) < THRESHOLD) return;
    if (!this.isDragging) this.lift();
    this.place(event);
  }

  lift() {
    const { board } = this;
    this.isDragging = true;
    board.surface.setPointerCapture(this.pointer);
    board.index = -1;
    board.hovered = null;
    board.selected = this.key;
    board.draw();
    ({ flyer: this.flyer } = board.flyer(board.module.token(board.state, this.key, board.state.turn)));
    board.surface.classList.add("dragging");
  }

  place(event) {
    const edge = this.board.surface.getBoundingClientRect();
    this.flyer.style.transform = `translate(${event.clientX - edge.left}px, ${event.clientY - edge.top}px) scale(1.12)`;
  }

  end(event) {
    if (!this.isDragging) {
      this.key = null;
      return;
    }
    const { board, key } = this;
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-key]")?.getAttribute("data-key");
    this.cancel();
    this.swallow = true;
    const fits = board.movesFrom(key).filter((move) => board.endsOf(move).to === target);
    if (fits.length === 1) {
      board.play(fits[0]);
      return;
    }
    if (fits.length > 1) board.selected = key;
    else {
      if (target && target !== key) board.selected = key;
      if (target && target !== key) board.explain(target);
      board.selected = null;
    }
    board.draw();
  }

  cancel() {
    this.flyer?.remove();
    this.flyer = null;
    this.key = null;
    this.isDragging = false;
    this.board.surface.classList.remove("dragging");
  }

  // Whether the click that follows a drag has to be ignored; only once.
  takesClick() {
    const { swallow } = this;
    this.swallow = false;
    return swallow;
  }
}
