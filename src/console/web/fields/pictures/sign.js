const SVG = "http://www.w3.org/2000/svg";

/** The sign of a picture without a small one: mountains and a sun. */
export function pictureSign() {
  const [sign, path] = [
    document.createElementNS(SVG, "svg"),
    document.createElementNS(SVG, "path"),
  ];
  path.setAttribute("d", "M4 5h16v14H4zM4 16.5l4.5-5 4 4.5 2.5-2.5 5 4.5M15.5 9h.01");
  sign.setAttribute("class", "icon");
  sign.setAttribute("viewBox", "0 0 24 24");
  sign.setAttribute("aria-hidden", "true");
  sign.append(path);
  return sign;
}
