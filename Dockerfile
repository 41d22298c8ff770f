# iaip-dsl: one vocabulary for agents (MCP) and editors (LSP). See src/plugins/kubernetes/README.md for how to run it.
FROM node:20.20.2-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json LICENSE README.md ./
COPY scripts scripts
COPY concepts concepts
COPY src src
RUN npm run build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:20.20.2-bookworm-slim
LABEL org.opencontainers.image.title="iaip-dsl" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production IAIP_DSL_CONCEPTS=/concepts IAIP_DSL_LEDGER=/ledger/ledger.db
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/concepts /concepts
RUN mkdir -p /ledger && chown 1000:1000 /ledger
USER 1000:1000
VOLUME ["/concepts", "/ledger"]
EXPOSE 7331
HEALTHCHECK --interval=30s --timeout=3s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7331/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/iaip-dsl.mjs"]
CMD ["serve", "--mcp", "http:0.0.0.0:7331", "--token-file", "/run/secrets/iaip/tokens.json"]
