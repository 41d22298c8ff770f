#!/usr/bin/env node
// Reads Kubernetes objects as a JSON array on stdin, validates each with its model, and prints what is wrong. Node 22.
import { json } from "node:stream/consumers";

const objects = await json(process.stdin);
const problems = [];
for (const object of objects) {
  const { apiVersion, kind } = object;
  const models = await import(`kubernetes-models/${apiVersion}`).catch(() => undefined);
  const Model = models?.[kind];
  if (Model === undefined) problems.push(`${apiVersion} ${kind} is no model`);
  else {
    try {
      new Model(object).validate();
    } catch (error) {
      problems.push(`${kind} ${object.metadata?.name}: ${error.message}`);
    }
  }
}
process.stdout.write(JSON.stringify({ checked: objects.length, problems }));
