import type { ContentBlock } from "./session.ts";

export interface CallContent {
  readonly content: readonly ContentBlock[];
  readonly structured: unknown;
  readonly isError: boolean;
  readonly meta: unknown;
}

/** Reads a `tools/call` result without trusting its shape; what is no content block is left out. */
export function readCallResult(result: unknown): CallContent {
  const record = isRecord(result) ? result : {};
  const content = Array.isArray(record.content) ? record.content.filter(isBlock) : [];
  return {
    content,
    structured: record.structuredContent ?? record.structured_content,
    isError: record.isError === true || record.is_error === true,
    meta: record._meta ?? record.meta,
  };
}

/** `when-empty`: structured content speaks only where no text does. `append`: after the text. `prefer`: in its place. */
export type StructuredUse = "when-empty" | "append" | "prefer";

/** The text for the model: every block says what it holds, and nothing that is text is lost. */
export function outputText(call: CallContent, use: StructuredUse): string {
  const text = call.content.map(blockText).filter((one) => one !== "");
  const json = call.structured === undefined ? undefined : JSON.stringify(call.structured);
  if (json === undefined) return text.join("\n");
  if (use === "prefer" || text.length === 0) return json;
  return (use === "append" ? [...text, json] : text).join("\n");
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return stringOf(block.text);
    case "image":
    case "audio":
      return `[${block.type}: ${stringOf(block.mimeType) || "unknown type"}, ${byteLength(block.data)} bytes]`;
    case "resource_link":
      return linkText(block);
    case "resource":
      return embeddedText(block.resource);
    default:
      return `[${block.type}: ${JSON.stringify(block)}]`;
  }
}

function linkText(link: ContentBlock): string {
  const size = typeof link.size === "number" ? `${link.size} bytes` : "";
  const facts = [link.title, link.name, link.description, link.mimeType, size];
  return `[resource_link: ${[stringOf(link.uri), ...facts.map(stringOf)].filter((one) => one !== "").join(" | ")}]`;
}

function embeddedText(resource: unknown): string {
  if (!isRecord(resource)) return "[resource]";
  const uri = stringOf(resource.uri);
  if (typeof resource.text === "string") return `[resource: ${uri}]\n${resource.text}`;
  return `[resource: ${uri}, ${stringOf(resource.mimeType) || "unknown type"}, ${byteLength(resource.blob)} bytes]`;
}

function byteLength(base64: unknown): number {
  return typeof base64 === "string" ? Buffer.byteLength(base64, "base64") : 0;
}

function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value.type === "string";
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
