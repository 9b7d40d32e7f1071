import type { Context } from '../../context.ts'
import { projectIdOf, storeIdOf } from '../../data/project-ids.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { describeError } from '../../lib/errors/describe-error.ts'
import { DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { openSecret, storeSecret } from './client/secrets.ts'
import type { StoredHeaders } from './client/transport-credentials.ts'
import { urlProblem } from './guarded-fetch.ts'
import { mcpErrors } from './mcp.errors.ts'
import type { McpProbe, McpServer, McpServerChange, NewMcpServer } from './mcp.model.ts'
import {
  countServers,
  deleteSecrets,
  deleteServer,
  insertServer,
  listSecrets,
  listServers,
  lockServer,
  lockServersOfProject,
  type McpServerRow,
  type SecretRow,
  type ServerKey,
  updateServer,
} from './mcp.queries.ts'
import { listServerTools, SERVERS_MAX } from './tools.ts'

type Needs = Pick<Context, 'sql' | 'vault' | 'config'>

/** Headers that the HTTP client or the protocol sets itself. */
const RESERVED_HEADERS = /^(host|content-.*|transfer-encoding|connection|accept|cookie|mcp-.*|proxy-.*|te|trailer|upgrade|expect)$/i
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

/** Adds an MCP server of a user, or a shared one by an admin. Throws `invalid_request`, `limit_reached`, `forbidden`. */
export async function addServer(needs: Needs, tx: Tx, caller: Principal, userId: string, asked: NewMcpServer): Promise<McpServer> {
  const { storeId, name, url, shared = false, headers, client, enabled = true } = asked
  const auth = asked.auth ?? (headers ? 'headers' : client ? 'oauth' : 'none')
  if (shared) await accessStore(needs, caller, storeId, ['admin', 'stores:write'])
  assertValid(needs, { url, auth, headers, client: client ?? null })
  const projectId = projectIdOf(storeId)
  await lockServersOfProject(tx, projectId)
  const owner = shared ? null : userId
  if ((await countServers(tx, projectId, owner)) >= SERVERS_MAX) throw mcpErrors.tooManyServers({ serversMax: SERVERS_MAX })
  const id = newId('mcp')
  const made = await insertServer(tx, { projectId, id, userId: owner, name, url, auth, enabled, clientId: client?.clientId ?? null })
  await storeCredentials(needs, tx, made, { headers, client: client ?? null })
  if (shared) await recordAudit(tx, { storeId }, { what: 'mcp_server.added', thing: id, after: made })
  return present(needs, made, await listSecrets(tx, projectId, [id], userId))
}

/**
 * Changes an MCP server. A new URL, auth method or client deletes the tokens, which were not issued for it. Throws `not_found`,
 * `invalid_request`.
 */
export async function changeServer(needs: Needs, userId: string, server: ServerKey, asked: McpServerChange): Promise<McpServer> {
  return transaction(needs.sql, async (tx) => {
    const before = await lockServer(tx, server)
    if (!before) throw notFound('The MCP server')
    const { headers, client, ...fields } = asked
    const auth = fields.auth ?? (headers ? 'headers' : client ? 'oauth' : before.auth)
    assertValid(needs, { url: fields.url ?? before.url, auth, headers, client: client ?? null })
    const isElsewhere = (fields.url !== undefined && originOf(fields.url) !== originOf(before.url)) || auth !== before.auth
    if (isElsewhere) await deleteSecrets(tx, before)
    else if (fields.url !== undefined && fields.url !== before.url) await deleteSecrets(tx, before, 'tokens')
    if (client !== undefined) {
      await deleteSecrets(tx, before, 'client')
      await deleteSecrets(tx, before, 'tokens')
    }
    const clientId = client === undefined ? (isElsewhere ? null : before.clientId) : (client?.clientId ?? null)
    const after = await updateServer(tx, before, { ...fields, auth, clientId })
    await storeCredentials(needs, tx, after, { headers, client: client ?? null })
    if (after.userId === null)
      await recordAudit(tx, { storeId: storeIdOf(after.projectId) }, { what: 'mcp_server.changed', thing: after.id, before, after })
    return present(needs, after, await listSecrets(tx, after.projectId, [after.id], userId))
  })
}

/** Deletes an MCP server. Throws `not_found`. */
export async function removeServer({ sql }: Needs, server: McpServerRow): Promise<void> {
  await transaction(sql, async (tx) => {
    if (!(await deleteServer(tx, server))) throw notFound('The MCP server')
    if (server.userId === null)
      await recordAudit(tx, { storeId: storeIdOf(server.projectId) }, { what: 'mcp_server.removed', thing: server.id, before: server })
  })
}

interface GivenCredentials {
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly client: { readonly clientId: string; readonly clientSecret?: string } | null
}

function assertValid(needs: Needs, { url, auth, headers, client }: GivenCredentials & Pick<McpServerRow, 'url' | 'auth'>): void {
  const refusal = urlProblem(needs, url)
  if (refusal !== null) throw mcpErrors.urlRefused({ refusal }, { field: ['url'] })
  if (headers && auth !== 'headers') throw mcpErrors.headersNotExpected({ field: ['headers'] })
  if (client && auth !== 'oauth') throw mcpErrors.clientNotExpected({ field: ['client'] })
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!HEADER.test(name) || RESERVED_HEADERS.test(name)) throw mcpErrors.headerNotAllowed({ name }, { field: ['headers'] })
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw mcpErrors.headerValueInvalid({ field: ['headers', name] })
  }
}

const originOf = (url: string) => new URL(url).origin

async function storeCredentials(
  needs: Needs,
  tx: Tx,
  { projectId, id, url }: McpServerRow,
  { headers, client }: GivenCredentials,
): Promise<void> {
  const own = { projectId, serverId: id, userId: null, issuer: '' }
  const stored = headers && ({ origin: originOf(url), headers } satisfies StoredHeaders)
  if (stored) await storeSecret(needs, tx, { ...own, kind: 'headers' }, stored)
  if (client) await storeSecret(needs, tx, { ...own, kind: 'client' }, client)
}

/** Lists the MCP servers of a user in a store and the shared ones, each with the user's own sign-in state. */
export async function readServers(
  needs: Needs,
  projectId: string,
  userId: string,
  after: string | null,
  take: number,
): Promise<McpServer[]> {
  const servers = await listServers(needs.sql, projectId, userId, after, take)
  const secrets = await listSecrets(
    needs.sql,
    projectId,
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

/** API view of an MCP server with the user's own sign-in state. */
export const readServer = async (needs: Needs, server: McpServerRow, userId: string): Promise<McpServer> =>
  present(needs, server, await listSecrets(needs.sql, server.projectId, [server.id], userId))

function present(needs: Needs, server: McpServerRow, secrets: readonly SecretRow[]): McpServer {
  const headers = secrets.find(({ kind }) => kind === 'headers')
  const { id, projectId, name, url, auth, enabled, clientId, protocol, title, problem, reachedAt, createdAt, updatedAt } = server
  return {
    id,
    storeId: storeIdOf(projectId),
    name,
    url,
    shared: server.userId === null,
    auth,
    enabled,
    headerNames: headers ? Object.keys(openSecret<StoredHeaders>(needs, headers).headers).sort() : [],
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

/** Tests the connection to a server by reading its tools. A failure is part of the result. */
export async function probeServer(needs: Parameters<typeof listServerTools>[0], server: McpServerRow, userId: string): Promise<McpProbe> {
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  const none = { tools: 0, leftOut: [] as string[], protocol: null, title: null }
  try {
    const { tools, leftOut, protocol, title } = await listServerTools(needs, server, userId, { refresh: true })
    return {
      ok: true,
      problem: null,
      signIn: false,
      tools: tools.length,
      leftOut: [...leftOut],
      protocol,
      title,
      milliseconds: elapsedMs(),
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...none, ok: false, problem: describeError(error), signIn: error.code === 'mcp_sign_in_needed', milliseconds: elapsedMs() }
  }
}
