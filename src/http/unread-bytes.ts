import type { ServerResponse } from "node:http";
import type { Log } from "../base/log.ts";
import type { Limits } from "./limits.ts";

interface Followed {
  readonly client: string;
  readonly response: ServerResponse;
  /** Bytes that were unread when this was last looked at; never less than there are until the next write. */
  unread: number;
}

/**
 * What was written and not yet taken, for each client and for all together. Whoever writes an answer calls `wrote`; a
 * client that leaves more than its share unread loses the response that holds the most of it.
 */
export class UnreadBytes {
  readonly #limits: Pick<Limits, "unreadBytes" | "unreadTotalBytes">;
  readonly #log: Log;
  readonly #followed = new Map<ServerResponse, Followed>();
  readonly #byClient = new Map<string, Set<Followed>>();

  constructor(limits: Pick<Limits, "unreadBytes" | "unreadTotalBytes">, log: Log) {
    this.#limits = limits;
    this.#log = log;
  }

  follow(client: string, response: ServerResponse): void {
    const followed: Followed = { client, response, unread: 0 };
    const others = this.#byClient.get(client) ?? new Set();
    this.#byClient.set(client, others.add(followed));
    this.#followed.set(response, followed);
    response.once("close", () => {
      this.#followed.delete(response);
      others.delete(followed);
      if (others.size === 0 && this.#byClient.get(client) === others) this.#byClient.delete(client);
    });
  }

  wrote(response: ServerResponse): void {
    const followed = this.#followed.get(response);
    if (followed === undefined) return;
    followed.unread = response.writableLength;
    const own = this.#byClient.get(followed.client) ?? [];
    this.#drop(own, this.#limits.unreadBytes);
    this.#drop(this.#followed.values(), this.#limits.unreadTotalBytes);
  }

  #drop(group: Iterable<Followed>, limit: number): void {
    const members = [...group];
    if (sum(members) <= limit) return;
    for (const member of members) member.unread = member.response.destroyed ? 0 : member.response.writableLength;
    for (let left = sum(members); left > limit; left = sum(members)) {
      const largest = members.reduce((most, it) => (most.unread < it.unread ? it : most));
      this.#log("warn", "a client does not read what it asked for; its connection is closed", {
        client: largest.client,
        unread: largest.unread,
      });
      largest.response.destroy();
      largest.unread = 0;
    }
  }
}

function sum(members: readonly Followed[]): number {
  return members.reduce((total, { unread }) => total + unread, 0);
}
