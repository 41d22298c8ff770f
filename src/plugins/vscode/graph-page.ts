export interface Neighborhood {
  readonly concept: { readonly id: string; readonly name: string };
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly distance: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly type: string;
    readonly to: string;
    readonly by_analogy: boolean;
  }[];
}

/** A still picture: the concept in the middle, one ring for each hop. An analogy is a dashed line. */
export function graphPage({ concept, nodes, edges }: Neighborhood): string {
  const places = placesOf(nodes);
  const at = (id: string): Place => places.get(id) ?? { x: 0, y: 0 };
  const lines = edges.map((edge) => {
    const [a, b] = [at(edge.from), at(edge.to)];
    const dash = edge.by_analogy ? ' stroke-dasharray="4 4"' : "";
    const title = inHtml(`${edge.from} ${edge.type} ${edge.to}${edge.by_analogy ? " (by analogy)" : ""}`);
    return `<line x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"${dash}><title>${title}</title></line>`;
  });
  const labels = nodes.map(({ id, name }) => {
    const { x, y } = at(id);
    const weight = id === concept.id ? ' font-weight="bold"' : "";
    return `<circle cx="${x}" cy="${y}" r="4"/><text x="${x + 7}" y="${y + 4}"${weight}>${inHtml(name)}</text>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${inHtml(concept.name)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>svg{width:100%;height:96vh}line{stroke:var(--vscode-editorIndentGuide-background,#888)}circle{fill:var(--vscode-charts-blue,#36c)}text{fill:var(--vscode-editor-foreground,#000);font:12px sans-serif}</style>
</head><body><svg viewBox="-420 -420 900 840" role="img" aria-label="Concepts around ${inHtml(concept.name)}">${lines.join("")}${labels.join("")}</svg></body></html>`;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function placesOf(nodes: Neighborhood["nodes"]): ReadonlyMap<string, Place> {
  const rings = Map.groupBy(nodes, (node) => node.distance);
  const places = new Map<string, Place>();
  for (const [distance, ring] of rings) {
    for (const [index, { id }] of ring.entries()) {
      const angle = (index / ring.length) * 2 * Math.PI + distance;
      const radius = distance * 190;
      places.set(id, { x: Math.round(radius * Math.cos(angle)), y: Math.round(radius * Math.sin(angle)) });
    }
  }
  return places;
}

const inHtml = (text: string): string => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
