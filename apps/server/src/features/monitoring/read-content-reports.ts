import { z } from "zod";

/** A browser's report of a violation of the content security policy; without addresses, as those may contain names. */
export interface ContentReport {
  /** The directive, or `other` if the portal's policy does not have it. */
  directive: string;
  /** The blocked host, or a keyword such as `inline`. */
  blocked: string;
}

/** The maximum number of reports read from one request. */
const reportsMost = 20;

const directives = new Set([
  ...["default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem"],
  ...["style-src-attr", "img-src", "media-src", "font-src", "connect-src", "worker-src", "manifest-src"],
  ...["object-src", "base-uri", "form-action", "frame-src", "frame-ancestors", "child-src"],
]);

/** Source: W3C CSP3, https://www.w3.org/TR/CSP3/#deprecated-serialize-violation (`report-uri`). */
const oldReport = z
  .object({
    "csp-report": z.object({
      "effective-directive": z.string().optional(),
      "violated-directive": z.string().optional(),
      "blocked-uri": z.string().optional(),
    }),
  })
  .transform(({ "csp-report": said }) => [
    {
      directive: said["effective-directive"] ?? said["violated-directive"] ?? "",
      blocked: said["blocked-uri"] ?? "",
    },
  ]);

/** Source: W3C CSP3, https://www.w3.org/TR/CSP3/#reporting (`report-to`); one request holds reports of any kind. */
const newReports = z.array(z.unknown()).transform((all) => all.slice(0, reportsMost).flatMap(ofPolicy));

const newReport = z.object({
  type: z.literal("csp-violation"),
  body: z.object({ effectiveDirective: z.string(), blockedURL: z.string().optional() }),
});

function ofPolicy(report: unknown): ContentReport[] {
  const { data } = newReport.safeParse(report);
  return data ? [{ directive: data.body.effectiveDirective, blocked: data.body.blockedURL ?? "" }] : [];
}

const keyword = /^[a-z-]{1,30}$/;

function hostOf(blocked: string): string {
  if (keyword.test(blocked)) return blocked;
  const { protocol, hostname } = URL.canParse(blocked) ? new URL(blocked) : { protocol: "", hostname: "" };
  return (hostname || protocol || "other").slice(0, 253);
}

/** The reports in a request's body, in either of the browsers' formats; none for anything else. */
export function readContentReports(body: unknown): ContentReport[] {
  const { data = [] } = z.union([oldReport, newReports]).safeParse(body);
  return data.map(({ directive, blocked }) => {
    const [name = ""] = directive.split(" ");
    return { directive: directives.has(name) ? name : "other", blocked: hostOf(blocked) };
  });
}
