/* What a page must have for those who cannot see it, or not well: returns what is wrong, in words. */
(() => {
  const wrong = [];
  const visible = (element) => element.checkVisibility({ opacityProperty: false, visibilityProperty: true });
  const describe = (element) => `<${element.tagName.toLowerCase()} id="${element.id}" class="${element.className.baseVal ?? element.className}"> ${element.textContent.trim().slice(0, 40)}`;

  function name(element) {
    const by = (element.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean);
    const parts = [
      element.getAttribute("aria-label"), ...by.map((id) => document.getElementById(id)?.textContent),
      ...[...(element.labels || [])].map((label) => label.textContent), element.getAttribute("alt"),
      /^(INPUT|SELECT)$/.test(element.tagName) ? "" : element.textContent, element.getAttribute("title"),
    ];
    return parts.filter(Boolean).join(" ").trim();
  }

  if (!document.documentElement.lang) wrong.push("the page has no language");
  if (!document.title.trim()) wrong.push("the page has no title");
  const controls = "a[href], button, input, select, summary, [tabindex], [role=img], [role=listbox], [role=option], [role=region], [role=group], nav, img";
  for (const element of document.querySelectorAll(controls)) {
    if (visible(element) && element.id !== "content" && !name(element)) wrong.push(`no name: ${describe(element)}`);
    if (element.tabIndex > 0) wrong.push(`out of order: ${describe(element)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids.filter((one, k) => ids.indexOf(one) !== k)) wrong.push(`twice: #${id}`);
  for (const element of document.querySelectorAll("[aria-labelledby], [aria-activedescendant]")) {
    for (const id of `${element.getAttribute("aria-labelledby") || ""} ${element.getAttribute("aria-activedescendant") || ""}`.split(" ")) {
      if (id && !document.getElementById(id)) wrong.push(`nothing is #${id}`);
    }
  }
  let level = 0;
  for (const heading of [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(visible)) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) wrong.push(`a heading of level ${next} after one of ${level}: ${describe(heading)}`);
    level = next;
  }
  if ([...document.querySelectorAll("main")].filter(visible).length !== 1) wrong.push("not one main part");
  for (const table of document.querySelectorAll("table")) {
    if (![...table.querySelectorAll("thead th")].every((head) => head.scope === "col")) wrong.push("a table without heads");
  }

  /* Contrast of every text with what is behind it. */
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1,
  });
  function ground(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    const page = matchMedia("(prefers-color-scheme: dark)").matches ? { r: 0, g: 0, b: 0, a: 1 } : { r: 255, g: 255, b: 255, a: 1 };
    return layers.reverse().reduce((below, layer) => over(layer, below), page);
  }
  const luminance = ({ r, g, b }) => [r, g, b].map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, k) => sum + value * [0.2126, 0.7152, 0.0722][k], 0);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !visible(element) || /^(SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(element.tagName)) continue;
    if (element.closest("noscript, .unseen, .skip, :disabled")) continue;
    const style = getComputedStyle(element);
    const svg = element instanceof SVGElement;
    const behind = ground(svg ? element.closest(".plot, td") || element : element);
    const ink = over(parse(svg ? style.fill : style.color), behind);
    const [light, dark] = [luminance(ink), luminance(behind)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    seen += 1;
    if (ratio < (large ? 3 : 4.5)) wrong.push(`contrast ${ratio.toFixed(2)}: ${describe(element)}`);
  }
  if (seen < 30) wrong.push(`only ${seen} texts were looked at`);
  return [...new Set(wrong)];
})()
