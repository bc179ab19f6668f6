// A tree of variations: the moves tried from a position, with comments. As text it reads like
//
//     a1a4 a5a2 (b5b3 c1c2) d1d4 {why%20not}
//
// where parentheses hold alternatives to the move before them. `at` is the way from the root to a node:
// the numbers of children, joined by dots.

import { moduleOf } from "./board.js";
import { button, el } from "./dom.js";
import { say } from "./words.js";

export class Tree {
  constructor() {
    this.root = { move: null, parent: null, children: [], comment: "" };
    this.here = this.root;
  }

  // The child of `node` by that move, made if there is none.
  add(node, move) {
    const old = node.children.find((child) => child.move === move);
    if (old) return old;
    const child = { move, parent: node, children: [], comment: "" };
    node.children.push(child);
    return child;
  }

  // Removes a node and everything after it; the node before it is where one is then.
  remove(node) {
    const { parent } = node;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    if (pathOf(this.here).includes(node)) this.here = parent;
  }

  // Makes the line through a node the main one.
  promote(node) {
    for (const one of pathOf(node)) {
      if (!one.parent) continue;
      one.parent.children = [one, ...one.parent.children.filter((child) => child !== one)];
    }
  }

  at() {
    return pathOf(this.here).slice(1).map((node) => node.parent.children.indexOf(node)).join(".");
  }

  goTo(at) {
    let node = this.root;
    for (const index of at ? at.split(".") : []) node = node.children[Number(index)] ?? node;
    this.here = node;
  }

  toText() {
    return [commentText(this.root), lineText(this.root)].filter(Boolean).join(" ");
  }

  isEmpty() {
    return this.root.children.length === 0 && !this.root.comment;
  }
}

// The nodes from the root to this one.
export function pathOf(node) {
  const path = [];
  for (let one = node; one; one = one.parent) path.unshift(one);
  return path;
}

const commentText = ({ comment }) => (comment ? `{${encodeURIComponent(comment)}}` : "");

// The moves after a node.
function lineText(node) {
  const [first, ...others] = node.children;
  if (!first) return "";
  const alternatives = others.map((other) => `(${[other.move, commentText(other), lineText(other)].filter(Boolean).join(" ")})`);
  return [first.move, commentText(first), ...alternatives, lineText(first)].filter(Boolean).join(" ");
}

// Reads the text of a tree. What cannot be read is left out.
export function parseTree(text) {
  const tree = new Tree();
  const words = text.match(/\{[^}]*\}|[()]|[^\s(){}]+/g) ?? [];
  const stack = [];
  let node = tree.root;
  for (const word of words) {
    if (word === "(") {
      stack.push(node);
      node = node.parent ?? node;
    } else if (word === ")") node = stack.pop() ?? node;
    else if (word.startsWith("{")) node.comment = decode(word.slice(1, -1));
    else node = tree.add(node, word);
  }
  return tree;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// --- drawing: the main line runs on, alternatives are indented ---

function nodeName(game, node) {
  if (!node.parent) return say("start_position");
  const module = moduleOf(game);
  return module.shortName?.(node.move) ?? module.nameOf(node.move, []);
}

function nodeButton(game, node, here, onPick) {
  return button(nodeName(game, node), () => onPick(node), {
    class: node === here ? "step here" : "step", test: "node", "data-move": node.move ?? "", "aria-current": node === here ? "step" : null,
  });
}

// The line that starts with `node`; `place` receives it.
function drawLine(place, game, node, here, onPick) {
  for (let one = node; one; [one] = one.children) {
    place.append(nodeButton(game, one, here, onPick));
    if (one.comment) place.append(el("q", { class: "comment" }, one.comment));
    const others = one.parent ? one.parent.children.slice(1) : [];
    if (one.parent?.children[0] !== one) continue;
    for (const other of others) {
      const branch = el("div", { class: "branch", test: "branch" });
      drawLine(branch, game, other, here, onPick);
      place.append(branch);
    }
  }
}

export function drawTree(game, tree, onPick) {
  const place = el("div", { class: "tree", test: "tree" });
  drawLine(place, game, tree.root, tree.here, onPick);
  return place;
}
