/**
 * Whether the Accept header names `text/html`, and neither JSON nor anything else with a higher or
 * equal quality (RFC 9110).
 */
export function prefersHtml({ headers }: Request): boolean {
  const qualities = new Map(
    (headers.get("Accept") ?? "").split(",").map((entry) => {
      const [type = "", ...parameters] = entry.toLowerCase().split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return [type, Number(quality) || 0];
    }),
  );
  const qualityOf = (type: string) => qualities.get(type) ?? 0;
  const html = qualityOf("text/html");
  return html > 0 && html > qualityOf("application/json") && html >= qualityOf("*/*");
}
