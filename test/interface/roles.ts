import { join } from 'node:path'
import { readConfig } from '../../core/config.ts'
import { permissions } from '../../core/http/auth/scopes.ts'
import { serve } from '../../core/serve.ts'
import { removeScratch, scratchFolder } from '../support/database.ts'
import { type Described, type Document, describedBy } from '../support/openapi.ts'

export const ROLES_FILE = join(import.meta.dir, '../../docs/roles.md')

const ABOUT = `# Who may ask for what

Written by \`bun test/interface/roles.ts\` from the server's own description; do not edit it.

- **Role**: the least that a person must be. \`viewer\`, \`agent\`, \`admin\` and \`owner\` are roles in the store that the request is about; each may do
  all that those before it may. \`admin of the project\` owns or administers its tenant, or the store that it stands behind;
  \`member\`, \`admin\` and \`owner of the tenant\` are roles in the tenant, and a key with the scope counts as an admin of its own.
  Administrators of the platform may do all of this. \`signed in\` is any person with an account, for what is his own. \`API key\`: no person asks this.
- **Scope**: what an API key needs. Without one here, keys are refused. Where anybody may ask, a key that is sent needs it all the same.
- **Permission**: what a member of the store needs who was given permissions, and so may do no more than these of what his role may. What takes a
  role in a store and names none is for members from whom nothing was kept. Without \`stores:read\` a store is not in its member's list either. The
  words: ${permissions.map((word) => `\`${word}\``).join(', ')}.
- **Product**: what the project must have enabled, for keys and, where the role is one in a store, for people too.

Where kinds of adapters share a path and want different things, the adapter that is asked says which: \`carrier: …, payment: …\`.
`

/** Every operation with what it takes to ask it: a table for each tag, in the order of the document. */
export function rolesOf(document: Document): string {
  const byTag = Map.groupBy(describedBy(document), ({ operation }) => operation.tags?.[0] ?? 'Other')
  const tables = [...byTag].map(([tag, rows]) => `## ${tag}\n\n${table(rows)}\n`)
  return [ABOUT, ...tables].join('\n')
}

const table = (rows: readonly Described[]) =>
  ['| Method | Path | Role | Scope | Permission | Product |', '|---|---|---|---|---|---|', ...rows.map(line)].join('\n')

function line(described: Described): string {
  const { 'x-role': role = '', 'x-scope': scope, 'x-permission': permission, 'x-product': product } = described.operation
  const scopes = ofKinds(described, 'scope')
  const needed = [scope ?? scopes, permission ?? scopes, product ?? ofKinds(described, 'product')]
  return `| ${[described.method, `\`${described.path}\``, role, ...needed].join(' | ')} |`
}

const ofKinds = ({ operation }: Described, what: 'scope' | 'product') =>
  Object.entries(operation['x-by-kind'] ?? {})
    .flatMap(([kind, { [what]: one }]) => (one ? [`${kind}: ${one}`] : []))
    .join(', ')

/** On a database that is gone afterwards. */
async function write() {
  const running = await serve(readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal' }), { socket: false })
  try {
    const response = await running.handle(new Request('http://localhost/openapi.json'))
    await Bun.write(ROLES_FILE, rolesOf((await response.json()) as Document))
  } finally {
    await running.stop()
    await removeScratch()
  }
}

if (import.meta.main) await write()
