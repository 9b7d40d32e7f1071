import type { Context } from '../../context.ts'
import { scopes } from '../../http/auth/scopes.ts'
import { agentTools } from './agent-tools.ts'

/** Builds `llms.txt`, the overview that language models read first, from the tools and adapters that are loaded. */
export function llmsText({ plugins }: Pick<Context, 'plugins'>, origin: string): string {
  const tools = Object.entries(agentTools).map(([name, { description, scope }]) => `- ${name} (${scope}): ${description}`)
  const adapters = [...Map.groupBy(plugins.all(), ({ adapter }) => adapter.kind)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([kind, mounted]) =>
        `- ${kind}: ${mounted
          .map(({ adapter }) => adapter.slug)
          .sort()
          .join(', ')}`,
    )
  return `# Serai

> Commerce and logistics for shops that are paid at the door: orders, parcels at many carriers, stock, cash, signed webhooks.

## Interface

- [Description](${origin}/openapi.json): every route, OpenAPI 3.0, also as [YAML](${origin}/openapi.yaml)
- [Reference page](${origin}/openapi): the same for people
- Errors are \`{"error": {"code", "message", "details", "requestId"}}\`: the code is the contract, the message says what to do
- Creating requests take an \`Idempotency-Key\`; lists give a \`nextCursor\`
- Limits are in \`RateLimit-*\` headers; after 429 wait for \`Retry-After\`

## Credentials

- API keys of a project: \`Authorization: Bearer sk_…\`, created by its owner at ${origin}/v1/projects
- OAuth 2.0 with PKCE for apps: [metadata](${origin}/.well-known/oauth-authorization-server)
- Scopes: ${scopes.join(', ')}

## Tools (Model Context Protocol)

${origin}/mcp speaks streamable HTTP, of 2026-07-28 and of 2025-11-25, with an API key or an OAuth token: what its scopes allow is listed, and nothing else.
A change needs the consent of a person. Programs that support elicitation (2026-07-28) ask them. Any other program has to send
\`confirm: true\`: its own word that the person said yes, which nobody here can check. Give a key no more scopes than such a program may use.

${tools.join('\n')}

## Installed adapters

${adapters.join('\n') || '- none'}
`
}
