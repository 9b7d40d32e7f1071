import { join } from 'node:path'
import { readConfig } from '../../core/config.ts'
import { serve } from '../../core/serve.ts'
import type { Schema } from '../support/openapi.ts'
import { removeScratch, scratchFolder } from '../support/scratch.ts'
import { webhookValue } from './webhook-values.ts'

export const WEBHOOKS_FILE = join(import.meta.dir, '../../docs/webhooks.md')

const ABOUT = `# Webhooks

Written by \`bun test/interface/webhooks-page.ts\` from the server's own description; do not edit it.

There are two families of events, each subscribed to at its own address:

| Family | Subscribe with | Credential | Events of |
|---|---|---|---|
| Project | \`POST /v1/webhook-endpoints\` | API key with \`webhooks:manage\` | parcels, stock, integrations, AI tasks |
| Store | \`POST /v1/stores/{storeId}/integrations/webhooks\` | admin of the store, or a key with \`webhooks:manage\` | orders, payments, products, customers, and parcels of the store |

An event that is asked for at the wrong address is refused with the right one. \`events\` takes names, or \`"*"\` alone for all.
\`inventory.stock.changed:{namespace}/{key}\` follows one item; either part may be or end in \`*\`.

Each event is sent as JSON with POST and signed with the secret that was shown when the endpoint was made. A receiver answers with 2xx within
10 seconds; anything else is sent again later. After 410 nothing more is sent.
`

/** The document as data. */
type Node = Readonly<Record<string, never>>
interface Callback {
  readonly post: {
    readonly summary: string
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } }
  }
}

/** Both families with every event and an example of what is sent. */
export function webhooksPage(document: { paths: Node; components: { schemas: Readonly<Record<string, Schema>> } }): string {
  const families = [
    ['Events of a project', '/v1/webhook-endpoints'],
    ['Events of a store', '/v1/stores/{storeId}/integrations/webhooks'],
  ] as const
  const parts = families.map(([title, path]) => {
    const { callbacks } = (document.paths[path] as unknown as { post: { callbacks: Record<string, Record<string, Callback>> } }).post
    const events = Object.entries(callbacks).sort(([a], [b]) => (a < b ? -1 : 1))
    const shown = events.map(([name, by]) => {
      const { summary, requestBody } = Object.values(by)[0]!.post
      const example = exampleOf('body', requestBody.content['application/json'].schema, document.components.schemas, {
        event: name,
        parent: '',
        depth: 0,
      })
      return `### \`${name}\`\n\n${summary}.\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`
    })
    return `## ${title}\n\n${shown.join('\n')}`
  })
  return [ABOUT, ...parts].join('\n')
}

interface Place {
  readonly event: string
  /** Field that holds the value. */
  readonly parent: string
  readonly depth: number
}

const DEPTH_MAX = 6

/** Builds an example of a payload. Fields that may be null are null, except those that the event is about. */
function exampleOf(name: string, given: unknown, named: Readonly<Record<string, Schema>>, { event, parent, depth }: Place): unknown {
  const { $ref, allOf, ...own } = given as Schema & { $ref?: string; allOf?: unknown[] }
  const value = webhookValue(event, parent, name, own)
  if (value !== undefined) return value
  if ($ref) return exampleOf(name, named[$ref.split('/').at(-1)!], named, { event, parent, depth })
  if (allOf) return exampleOf(name, allOf[0], named, { event, parent, depth })
  if (own.anyOf) return exampleOf(name, own.anyOf[0], named, { event, parent, depth })
  const within = { event, parent: name, depth: depth + 1 }
  if (own.type === 'object')
    return depth > DEPTH_MAX
      ? {}
      : Object.fromEntries(Object.entries(own.properties ?? {}).map(([key, one]) => [key, exampleOf(key, one, named, within)]))
  if (own.type === 'array')
    return own.items && depth <= DEPTH_MAX ? [exampleOf(name.replace(/s$/, ''), own.items, named, { event, parent, depth: depth + 1 })] : []
  if (own.type === 'boolean') return false
  return own.type === 'number' || own.type === 'integer' ? Math.max(own.minimum ?? 0, 1) : 'text'
}

/** On a database that is gone afterwards. */
async function write() {
  const running = await serve(readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal' }), { socket: false })
  try {
    const response = await running.handle(new Request('http://localhost/openapi.json'))
    await Bun.write(WEBHOOKS_FILE, webhooksPage((await response.json()) as Parameters<typeof webhooksPage>[0]))
  } finally {
    await running.stop()
    await removeScratch()
  }
}

if (import.meta.main) await write()
