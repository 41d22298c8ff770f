/** The content of a concept as the ledger keeps it for its history. Made by `conceptWords`. */
export interface ConceptContent {
  readonly concept: string;
  /** SHA-256 in hex: of the whole content, or of `fields` where the concept is guarded. */
  readonly hash: string;
  /** Top-level field → its text; `keyed:…` or `withheld` where the text is not for everyone. */
  readonly fields: Readonly<Record<string, string>>;
  /** Not everyone is given its text: older versions that hold it are emptied. */
  readonly isGuarded?: boolean;
  readonly withdrawn: boolean;
  readonly revision?: string;
}

export interface ConceptVersion {
  readonly concept: string;
  /** From 1. */
  readonly version: number;
  /** When a server first saw it, ISO 8601. */
  readonly at: string;
  readonly hash: string;
  /** Fields that differ from the version before; empty for the first. */
  readonly changed: readonly string[];
  /** `null` when the content was forgotten. */
  readonly fields: Readonly<Record<string, string>> | null;
  readonly withdrawn: boolean;
}

/** Exactly one of the four. `reason` is kept with the act; `by` says who asked for it. */
export interface ForgetRequest {
  readonly agent?: string;
  readonly session?: string;
  readonly concept?: string;
  /** `YYYY-MM-DD`: events of earlier days. */
  readonly before?: string;
  readonly by: string;
  readonly reason: string;
}

export interface Forgotten {
  readonly act: string;
  readonly at: string;
  /** Events emptied. */
  readonly events: number;
  /** Versions whose words were emptied. */
  readonly versions: number;
  /** First and last moment of the emptied events. */
  readonly from: string | null;
  readonly to: string | null;
  /** What the act cannot reach, in sentences: backups, moved-aside files, other processes' readers. */
  readonly remains: readonly string[];
}

export interface Received {
  readonly concept: string;
  readonly recipients: readonly {
    readonly agent: string;
    readonly session: string | null;
    readonly events: number;
    readonly first: string;
    readonly last: string;
  }[];
  /** Events of the whole ledger that were emptied: whether this concept was told in them can no longer be known. */
  readonly forgotten: number;
  /** When query logging was on. Outside of it the ledger cannot know who was told. */
  readonly logging: readonly { readonly from: string; readonly to: string; readonly dropped: number }[];
}

export interface CheckReport {
  readonly ok: boolean;
  /** One sentence for each thing found; empty when all is well. */
  readonly problems: readonly string[];
  readonly events: number;
  readonly schemaVersion: number;
  /** How the store keeps its promise: journal mode, synchronous, checkpoint policy. */
  readonly durability: string;
}
