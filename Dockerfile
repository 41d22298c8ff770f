# iaip-dsl: one vocabulary for agents (MCP) and editors (LSP). See src/plugins/kubernetes/README.md for how to run it.
# The digest is filled in where images are built: node:24.21.0-bookworm@sha256:….
FROM node:24.21.0-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json LICENSE README.md ./
COPY scripts scripts
COPY concepts concepts
COPY src src
RUN npm run build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="iaip-dsl" org.opencontainers.image.licenses="Apache-2.0"
# The heap stays below the memory limits of the manifests; what else the process holds needs the rest.
ENV NODE_ENV=production NODE_OPTIONS=--max-old-space-size=256 IAIP_DSL_CONCEPTS=/concepts IAIP_DSL_LEDGER=/ledger/ledger.db
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/src/plugins/kubernetes/health.mjs ./
COPY --from=build /app/concepts /concepts
RUN mkdir -p /ledger && chown 1000:1000 /ledger
USER 1000:1000
VOLUME ["/concepts", "/ledger"]
EXPOSE 7331
# Follows the port and TLS of whatever command is run.
HEALTHCHECK --interval=30s --timeout=5s --retries=3 CMD ["node", "/app/health.mjs"]
ENTRYPOINT ["node", "/app/dist/iaip-dsl.mjs"]
CMD ["serve", "--mcp", "http:0.0.0.0:7331", "--token-file", "/run/secrets/iaip/tokens.json"]
