import { describe, expect, it } from "vitest";
import { formatOf } from "../../src/core/text/formats/format.ts";
import { read } from "./rule-set.ts";

/** What is flagged in a text of a format, as `line:text`. */
function flagged(name: string, text: string): readonly string[] {
  const format = formatOf(name);
  if (format === undefined) throw new Error(`${name} is no known format`);
  const { findings } = read(text, { format });
  for (const finding of findings) expect(text.slice(finding.start, finding.end)).toBe(finding.text);
  return findings.map((finding) => `${finding.line}:${finding.text}`);
}

const phrase = "my spirit animal";

describe("reStructuredText", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["a paragraph", `Coffee is ${phrase}.\n`, ["1:spirit animal"]],
    ["a paragraph over two lines", "Coffee is my spirit\nanimal.\n", ["1:spirit\nanimal"]],
    ["a heading", "My spirit animal\n================\n\nText.\n", ["1:spirit animal"]],
    ["an overlined heading", "=====\nTitle\n=====\n\nThe spirit animal text.\n", ["5:spirit animal"]],
    ["an item", "* one\n* my spirit animal\n", ["2:spirit animal"]],
    ["a numbered item", "#. my spirit animal\n", ["1:spirit animal"]],
    ["emphasis", "My *spirit* animal.\n", ["1:spirit* animal"]],
    ["a note directive", ".. note::\n\n   This is my spirit animal.\n", ["3:spirit animal"]],
    ["a warning directive with an option", ".. warning::\n   :class: x\n\n   My spirit animal.\n", ["4:spirit animal"]],
    ["a footnote", ".. [1] My spirit animal.\n", ["1:spirit animal"]],
    ["a definition", "term\n   My spirit animal is here.\n", ["2:spirit animal"]],
    ["a link text", "`my spirit animal <https://example.org>`_ is here\n", ["1:spirit animal"]],
    ["a literal", "Use ``spirit animal`` here.\n", []],
    ["a role", "Use :ref:`spirit animal` here.\n", []],
    ["a literal block", "Code::\n\n   my spirit animal\n\nText.\n", []],
    ["a code directive", ".. code-block:: python\n\n   # my spirit animal\n", []],
    ["a comment", ".. my spirit animal\n\nText.\n", []],
    ["a target", ".. _spirit animal: https://example.org/spirit-animal\n", []],
    ["a field", ":spirit animal: value\n\nText.\n", []],
    ["a block quotation", "He said:\n\n   My spirit animal.\n", []],
    ["a doctest", ">>> print('my spirit animal')\nmy spirit animal\n", []],
    ["an image", ".. image:: spirit-animal.png\n   :alt: my spirit animal\n", []],
    ["a substitution", ".. |x| replace:: spirit animal\n", []],
    [
      "a grid table that teaches",
      "+---------------+---------+\n| avoid         | use     |\n+===============+=========+\n| spirit animal | muse    |\n+---------------+---------+\n",
      [],
    ],
    [
      "a simple table",
      "=============  =====\nname           kind\n=============  =====\nspirit animal  bear\n=============  =====\n",
      ["4:spirit animal"],
    ],
  ];
  for (const [name, text, expected] of cases) {
    it(`${expected.length > 0 ? "finds it in" : "leaves out"} ${name}`, async () => {
      expect(flagged("a.rst", text)).toEqual(expected);
    });
  }
});

describe("AsciiDoc", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["a paragraph", `Coffee is ${phrase}.\n`, ["1:spirit animal"]],
    ["a heading", "== My spirit animal\n\nText.\n", ["1:spirit animal"]],
    ["an item", "* one\n* my spirit animal\n", ["2:spirit animal"]],
    ["a dotted item", ". my spirit animal\n", ["1:spirit animal"]],
    ["a definition", "CPU:: my spirit animal\n", ["1:spirit animal"]],
    ["an admonition", "NOTE: my spirit animal\n", ["1:spirit animal"]],
    ["an example block", "====\nmy spirit animal\n====\n", ["2:spirit animal"]],
    ["a sidebar", "****\nmy spirit animal\n****\n", ["2:spirit animal"]],
    ["a block title", ".My spirit animal\nText.\n", ["1:spirit animal"]],
    ["strong text", "My *spirit* animal.\n", ["1:spirit* animal"]],
    ["a footnote", "Text.footnote:[my spirit animal]\n", ["1:spirit animal"]],
    ["a link text", "See https://example.org[my spirit animal].\n", ["1:spirit animal"]],
    ["a table cell", "|===\n|name |kind\n\n|spirit animal |bear\n|===\n", ["4:spirit animal"]],
    ["a table that teaches", "|===\n|avoid |use\n\n|spirit animal |muse\n|===\n", []],
    ["inline code", "Use `spirit animal` here.\n", []],
    ["a pass", "Use +spirit animal+ here.\n", []],
    ["a listing", "----\nmy spirit animal\n----\n", []],
    ["a source block", "[source,js]\n----\n// my spirit animal\n----\n", []],
    ["a literal block", "....\nmy spirit animal\n....\n", []],
    ["a literal paragraph", " my spirit animal\n", []],
    ["a quotation block", "____\nmy spirit animal\n____\n", []],
    ["a quotation paragraph", "[quote,Someone]\nmy spirit animal\n", []],
    ["a comment", "// my spirit animal\nText.\n", []],
    ["a comment block", "////\nmy spirit animal\n////\n", []],
    ["an attribute", ":title: my spirit animal\n\nText.\n", []],
    ["a target", "See link:spirit-animal.html[the page] and <<spirit-animal>>.\n", []],
    ["an image", "image::spirit-animal.png[]\n", []],
  ];
  for (const [name, text, expected] of cases) {
    it(`${expected.length > 0 ? "finds it in" : "leaves out"} ${name}`, async () => {
      expect(flagged("a.adoc", text)).toEqual(expected);
    });
  }
});

describe("source files", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["a.js", 'const spiritAnimal = "my spirit animal"; // my spirit animal\n', ["1:spirit animal"]],
    ["b.js", "// my spirit\n// animal\nlet x = 1;\n", ["1:spirit\n// animal"]],
    [
      "a.ts",
      "/**\n * My spirit animal.\n * Use `spirit animal`.\n */\nexport type A = `my spirit animal`;\n",
      ["2:spirit animal"],
    ],
    [
      "a.tsx",
      "/* my spirit\n * animal */\nconst a = <p>my spirit animal</p>;\n",
      ["1:spirit\n * animal", "3:spirit animal"],
    ],
    [
      "a.py",
      'def f():\n    """My spirit animal.\n\n    >>> f()\n    """\n    return "my spirit animal"  # my spirit animal\n',
      ["2:spirit animal", "6:spirit animal"],
    ],
    ["a.go", 'package a\n\n// My spirit animal.\nvar x = "my spirit animal"\n', ["3:spirit animal"]],
    ["a.rs", '/// My spirit animal.\nfn f() { let x = "my spirit animal"; }\n', ["1:spirit animal"]],
    ["A.java", '/** My spirit animal. */\nclass A { String s = "my spirit animal"; }\n', ["1:spirit animal"]],
    ["a.cpp", '// my spirit animal\nconst char* s = "my spirit animal";\n', ["1:spirit animal"]],
    ["a.h", "/* my spirit animal */\nint x;\n", ["1:spirit animal"]],
    ["a.rb", '# my spirit animal\ns = "my spirit animal"\n', ["1:spirit animal"]],
    ["a.sh", '#!/bin/sh\n# my spirit animal\necho "my spirit animal"\n', ["2:spirit animal"]],
    ["a.yaml", "# my spirit animal\nkey: my spirit animal\n", ["1:spirit animal"]],
    ["a.toml", '# my spirit animal\nkey = "my spirit animal"\n', ["1:spirit animal"]],
    ["a.css", '/* my spirit animal */\na { content: "my spirit animal"; }\n', ["1:spirit animal"]],
    [
      "a.html",
      "<p>my <b>spirit</b> animal</p><script>// my spirit animal</script><!-- my spirit animal -->\n",
      ["1:spirit</b> animal"],
    ],
    [
      "a.mdx",
      "import x from 'my spirit animal'\n\n<Card>\n\nmy spirit animal {my.spirit(animal)}\n\n</Card>\n",
      ["5:spirit animal"],
    ],
    ["a.txt", "my spirit animal\n", ["1:spirit animal"]],
  ];
  for (const [name, text, expected] of cases) {
    it(`${name} is read in its comments only, or in its prose`, async () => {
      expect(flagged(name, text)).toEqual(expected);
    });
  }

  it("of an unknown kind are named as such", () => {
    expect(formatOf("a.xyz")).toBeUndefined();
    expect(formatOf("Makefile.lock")).toBeUndefined();
    expect(formatOf("docs/README")).toBe("plaintext");
  });
});
