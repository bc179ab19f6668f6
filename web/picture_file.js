// A board as a file: the drawn SVG with its styles written into it, or a PNG of it.

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "stop-color", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "visibility", "display"];
const PNG_WIDTH = 1000;

// The SVG as text that needs no style sheet.
export function svgText(root) {
  const copy = root.cloneNode(true);
  const from = [root, ...root.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && !(name === "fill" && element.getAttribute("fill")?.startsWith("url"))) to[i].setAttribute(name, value.replaceAll('"', "'"));
    }
    for (const name of ["class", "data-key", "data-test", "aria-label"]) to[i].removeAttribute(name);
  });
  copy.querySelectorAll('[display="none"], [visibility="hidden"]').forEach((element) => element.remove());
  const [, , width, height] = root.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", PNG_WIDTH);
  copy.setAttribute("height", Math.round((PNG_WIDTH * height) / width));
  return new XMLSerializer().serializeToString(copy);
}

// The same as a PNG file.
export async function pngBlob(root) {
  const text = svgText(root), image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}
