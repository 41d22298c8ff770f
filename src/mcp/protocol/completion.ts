import { isRecord } from "../../base/json-rpc.ts";
import type { ResourceTemplateDefinition } from "../surface.ts";
import { Fault, faultCodes } from "./fault.ts";
import { promptNamed } from "./prompts.ts";
import type { Handler, ProtocolContext } from "./request.ts";

/** The protocol's cap on one completion. */
const limit = 100;

export const complete: Handler = (params, context) => {
  const { ref, name, value } = readParams(params);
  const values = context.caller.scopes.has("read") ? completions(context, ref, name, value) : [];
  return { completion: { values: values.slice(0, limit), total: values.length, hasMore: values.length > limit } };
};

function completions(
  context: ProtocolContext,
  ref: Readonly<Record<string, unknown>>,
  name: string,
  value: string,
): readonly string[] {
  const { surface } = context;
  if (ref.type === "ref/prompt") {
    const prompt = promptNamed(surface, ref.name);
    if (prompt.arguments.some((argument) => argument.name === name)) return prompt.complete(context, name, value);
    throw new Fault(faultCodes.invalidParams, `The prompt ${prompt.name} has no argument ${name}.`);
  }
  if (ref.type === "ref/resource") {
    const template = surface.templates.find(({ uriTemplate }) => uriTemplate === ref.uri);
    if (template === undefined) {
      if (surface.resources.some(({ uri }) => uri === ref.uri)) return [];
      throw new Fault(faultCodes.invalidParams, `There is no resource template ${String(ref.uri)}.`);
    }
    return startingWith(template, context, value);
  }
  throw new Fault(faultCodes.invalidParams, "completion/complete completes a ref/prompt or a ref/resource.");
}

/** Values that begin with the typed text, then those with a later word that does. */
function startingWith(
  template: ResourceTemplateDefinition,
  context: ProtocolContext,
  typed: string,
): readonly string[] {
  const start = typed.toLowerCase();
  const values = template.list(context.view).map(({ value }) => value);
  const begins = (value: string) => value.toLowerCase().startsWith(start);
  const contains = (value: string) => value.toLowerCase().includes(`-${start}`);
  return [...values.filter(begins), ...values.filter((value) => !begins(value) && contains(value))];
}

function readParams(params: Readonly<Record<string, unknown>>) {
  const { ref, argument } = params;
  if (isRecord(ref) && isRecord(argument) && typeof argument.name === "string" && typeof argument.value === "string") {
    return { ref, name: argument.name, value: argument.value };
  }
  throw new Fault(faultCodes.invalidParams, "completion/complete needs a ref and an argument with a name and a value.");
}
