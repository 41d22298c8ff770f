import type { Route } from "./exchange.ts";
import { refuse } from "./refuse.ts";

/** Pages below a path, by the one name that follows it. They load nothing and run nothing. */
export function pageRoute(path: `/${string}/`, pageOf: (name: string) => string | undefined): Route {
  return {
    paths: [path],
    methods: ["GET", "HEAD"],
    handle: async ({ response, url }) => {
      const name = decoded(url.pathname.slice(path.length));
      const page = name === undefined ? undefined : pageOf(name);
      if (page === undefined) return refuse(response, { status: 404, message: `There is no page at ${url.pathname}.` });
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
      response.end(page);
    },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
