import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { accessStore } from '../../shop/stores/access.ts'
import type { KeptHeaders } from './client/admission.ts'
import { keepSecret, opened } from './client/secrets.ts'
import type { McpProbe, McpServer, McpServerChange, NewMcpServer } from './mcp.model.ts'
import {
  countServers,
  deleteSecrets,
  deleteServer,
  holdServersOf,
  insertServer,
  listSecrets,
  listServers,
  lockServer,
  type McpServerRow,
  type SecretRow,
  updateServer,
} from './mcp.queries.ts'
import { problemOfAddress } from './reach.ts'
import { listedTools, SERVERS_MAX } from './tools.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'config'>

/** Named by those who send them, they would be something else than what they say. */
const NOT_TO_SET = /^(host|content-.*|transfer-encoding|connection|accept|cookie|mcp-.*|proxy-.*|te|trailer|upgrade|expect)$/i
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Adds a server: a person's own, or the whole store's where he may. */
export async function addServer(needs: Needs, tx: Tx, caller: Principal, userId: string, asked: NewMcpServer): Promise<McpServer> {
  const { storeId, name, url, shared = false, headers, client, enabled = true } = asked
  const auth = asked.auth ?? (headers ? 'headers' : client ? 'oauth' : 'none')
  if (shared) await accessStore(needs, caller, storeId, ['admin', 'stores:write'])
  assertFits(needs, { url, auth, headers, client: client ?? null })
  await holdServersOf(tx, storeId)
  const owner = shared ? null : userId
  if ((await countServers(tx, storeId, owner)) >= SERVERS_MAX)
    throw new ApiError('limit_reached', `There are ${SERVERS_MAX} servers already. Take one away first.`)
  const id = newId('mcp')
  const made = await insertServer(tx, { storeId, id, userId: owner, name, url, auth, enabled, clientId: client?.clientId ?? null })
  await keepGiven(needs, tx, made, { headers, client: client ?? null })
  if (shared) await recordAudit(tx, { storeId }, { what: 'mcp_server.added', thing: id, after: made })
  return present(needs, made, await listSecrets(tx, [id], userId))
}

/** Changes a server. Another address, way in or client ends what was signed in with: it was not meant for that. */
export async function changeServer(needs: Needs, userId: string, id: string, asked: McpServerChange): Promise<McpServer> {
  return transaction(needs.sql, async (tx) => {
    const before = await lockServer(tx, id)
    if (!before) throw notFound('The MCP server')
    const { headers, client, ...fields } = asked
    const auth = fields.auth ?? (headers ? 'headers' : client ? 'oauth' : before.auth)
    assertFits(needs, { url: fields.url ?? before.url, auth, headers, client: client ?? null })
    const isElsewhere = (fields.url !== undefined && originOf(fields.url) !== originOf(before.url)) || auth !== before.auth
    if (isElsewhere) await deleteSecrets(tx, id)
    else if (fields.url !== undefined && fields.url !== before.url) await deleteSecrets(tx, id, 'tokens')
    if (client !== undefined) {
      await deleteSecrets(tx, id, 'client')
      await deleteSecrets(tx, id, 'tokens')
    }
    const clientId = client === undefined ? (isElsewhere ? null : before.clientId) : (client?.clientId ?? null)
    const after = await updateServer(tx, id, { ...fields, auth, clientId })
    await keepGiven(needs, tx, after, { headers, client: client ?? null })
    if (after.userId === null) await recordAudit(tx, { storeId: after.storeId }, { what: 'mcp_server.changed', thing: id, before, after })
    return present(needs, after, await listSecrets(tx, [id], userId))
  })
}

export async function removeServer({ sql }: Needs, server: McpServerRow): Promise<void> {
  await transaction(sql, async (tx) => {
    if (!(await deleteServer(tx, server.id))) throw notFound('The MCP server')
    if (server.userId === null)
      await recordAudit(tx, { storeId: server.storeId }, { what: 'mcp_server.removed', thing: server.id, before: server })
  })
}

interface Given {
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly client: { readonly clientId: string; readonly clientSecret?: string } | null
}

function assertFits(needs: Needs, { url, auth, headers, client }: Given & Pick<McpServerRow, 'url' | 'auth'>): void {
  const problem = problemOfAddress(needs, url)
  if (problem !== null) throw invalid('/body/url', problem)
  if (headers && auth !== 'headers') throw invalid('/body/headers', 'They are sent where auth is headers.')
  if (client && auth !== 'oauth') throw invalid('/body/client', 'It is for servers whose auth is oauth.')
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!HEADER.test(name) || NOT_TO_SET.test(name)) throw invalid('/body/headers', `${name} is no header that can be set here.`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw invalid(`/body/headers/${name}`, 'Its value cannot stand in a header.')
  }
}

const originOf = (url: string) => new URL(url).origin

async function keepGiven(needs: Needs, tx: Tx, { storeId, id, url }: McpServerRow, { headers, client }: Given): Promise<void> {
  const own = { storeId, serverId: id, userId: null, issuer: '' }
  const kept = headers && ({ origin: originOf(url), headers } satisfies KeptHeaders)
  if (kept) await keepSecret(needs, tx, { ...own, kind: 'headers' }, kept)
  if (client) await keepSecret(needs, tx, { ...own, kind: 'client' }, client)
}

/** Servers that this person sees in the store, each as he sees it. */
export async function readServers(needs: Needs, storeId: string, userId: string, after: string | null, take: number): Promise<McpServer[]> {
  const servers = await listServers(needs.sql, storeId, userId, after, take)
  const secrets = await listSecrets(
    needs.sql,
    servers.map(({ id }) => id),
    userId,
  )
  return servers.map((server) =>
    present(
      needs,
      server,
      secrets.filter(({ serverId }) => serverId === server.id),
    ),
  )
}

export const readServer = async (needs: Needs, server: McpServerRow, userId: string): Promise<McpServer> =>
  present(needs, server, await listSecrets(needs.sql, [server.id], userId))

function present(needs: Needs, server: McpServerRow, secrets: readonly SecretRow[]): McpServer {
  const headers = secrets.find(({ kind }) => kind === 'headers')
  const { id, storeId, name, url, auth, enabled, clientId, protocol, title, problem, reachedAt, createdAt, updatedAt } = server
  return {
    id,
    storeId,
    name,
    url,
    shared: server.userId === null,
    auth,
    enabled,
    headerNames: headers ? Object.keys(opened<KeptHeaders>(needs, headers).headers).sort() : [],
    clientId,
    signedIn: secrets.some(({ kind }) => kind === 'tokens'),
    protocol,
    title,
    problem,
    reachedAt,
    createdAt,
    updatedAt,
  }
}

/** Reaches for the server now, and says how that went. */
export async function probe(needs: Parameters<typeof listedTools>[0], server: McpServerRow, userId: string): Promise<McpProbe> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const none = { tools: 0, leftOut: [] as string[], protocol: null, title: null }
  try {
    const { tools, leftOut, protocol, title } = await listedTools(needs, server, userId, true)
    return { ok: true, problem: null, signIn: false, tools: tools.length, leftOut: [...leftOut], protocol, title, milliseconds: took() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ...none, ok: false, problem: error.message, signIn: error.code === 'mcp_sign_in_needed', milliseconds: took() }
  }
}
