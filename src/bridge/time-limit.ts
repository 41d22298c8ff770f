import type { McpSession, RequestOptions } from "./session.ts";

/** Runs a request for at most `ms`; then rejects, and has a session that takes options give the request up. */
export async function timeLimited<T>(
  session: McpSession,
  ms: number,
  request: (options?: RequestOptions) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer within ${ms} ms`);
      reject(error);
      giveUp.abort(error);
    }, ms);
  });
  const options: RequestOptions | undefined =
    session.takesOptions === true ? { signal: giveUp.signal, timeout: ms + 1_000 } : undefined;
  try {
    return await Promise.race([options === undefined ? request() : request(options), late]);
  } finally {
    clearTimeout(timer);
  }
}
