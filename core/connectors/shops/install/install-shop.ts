import { Type as T } from '@sinclair/typebox'
import type { InboundRequest } from '../../../../plugins/adapter.ts'
import { LinkAnswered } from '../../../../plugins/connector/linking.model.ts'
import { hostIn } from '../../../../plugins/connector/written.ts'
import type { MountedAdapter } from '../../../../plugins/host/registry.ts'
import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { callWithoutConnection } from '../../../integrations/connections/calls/call-without-connection.ts'
import { findConnectionToReplace } from '../../../integrations/connections/choose-connection.ts'
import { changeConnection, connectAdapter } from '../../../integrations/connections/connect.ts'
import { type ConnectorConnection, openConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { TEST_OPERATION } from '../../../integrations/connections/health/attention.ts'
import { finishSignIn } from '../../../integrations/connections/oauth-client/finish-sign-in.ts'
import { returnUrlWithOutcome } from '../../../integrations/connections/oauth-client/result-page.ts'
import { isSignInState, startSignIn } from '../../../integrations/connections/oauth-client/start-sign-in.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { findRowSpreadsheet, startRowSourceSignIn } from '../sheet-import/connect-row-source.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { listStoreConnectionsOfShop } from '../shops.queries.ts'
import { alreadyConnectedError, connectionNameOf } from './connect-shop.ts'
import { canStillConnect, consumeInstallLink, findInstallLink, insertInstallLink, recordInstallOutcome } from './install-links.queries.ts'

const MINUTES = 30
const ASK_MS = 10_000
const APP = 'Serai'
const OAUTH_CALLBACK = '/v1/integrations/oauth/callback'

/** Request to connect a shop in the browser. */
export interface InstallRequest {
  readonly store: Store
  readonly platform: string
  readonly shop: string | undefined
  readonly name: string | undefined
  readonly returnTo: string | undefined
  /** User or project that starts the connection. */
  readonly begunBy: string
  /** Public address of this server. */
  readonly origin: string
}

/** Outcome of connecting a shop. */
export type InstallOutcome = 'connected' | 'denied' | 'failed'

const platformOf = ({ plugins }: Context, key: string): MountedAdapter<'connector'> => {
  const mounted = plugins.find('connector', key)
  if (!mounted) throw notFound(`A platform "${key}"`)
  return mounted
}

/** Returns the address that the shop's owner opens to connect the shop. Throws `not_found` if the platform is connected by keys. */
export async function buildInstallUrl(context: Context, beginning: InstallRequest): Promise<string> {
  const { store, begunBy, origin, returnTo = null } = beginning
  const sheets = findRowSpreadsheet(context, beginning.platform)
  if (sheets) return startRowSourceSignIn(context, store.id, sheets, { begunBy, redirectUri: `${origin}${OAUTH_CALLBACK}`, returnTo })
  const mounted = platformOf(context, beginning.platform)
  const { adapter } = mounted
  const shop = hostIn(beginning.shop)
  if (adapter.shop !== undefined && shop === undefined) throw connectorShopErrors.hostMissing({ label: adapter.label }, { field: ['shop'] })
  if (adapter.link) return linkUrl(context, mounted, beginning, shop ?? '')
  if (adapter.oauth) return signInUrl(context, mounted, beginning, shop)
  throw connectorShopErrors.onlyByKeys({ label: adapter.label })
}

async function linkUrl(context: Context, mounted: MountedAdapter<'connector'>, beginning: InstallRequest, shop: string): Promise<string> {
  const { link, slug } = mounted.adapter
  const { store, origin, begunBy } = beginning
  const name = beginning.name ?? (await connectionNameOf(context.sql, store.id, mounted.adapter, shop))
  await findExisting(context, mounted, { storeId: store.id, name, shop })
  const state = newToken('cl')
  await insertInstallLink(context.sql, { digest: sha256(state), storeId: store.id, key: slug, shop, name, begunBy }, MINUTES)
  const back = `${origin}/v1/integrations/connectors/${slug}/callback`
  const webhookUrl = `${origin}/v1/stores/${store.id}/integrations/${slug}/webhook`
  const asked = { shop, app: APP, state, returnUrl: `${back}?state=${state}`, callbackUrl: back, webhookUrl }
  const options = { hosts: [], deadlineMs: ASK_MS, schema: T.Object({ url: T.String() }) }
  const { url } = await callWithoutConnection(
    context,
    mounted,
    (own) => invariant(link, 'A link that is offered').address(own, asked),
    options,
  )
  return url
}

async function signInUrl(
  context: Context,
  mounted: MountedAdapter<'connector'>,
  beginning: InstallRequest,
  shop: string | undefined,
): Promise<string> {
  const { store, origin, begunBy, returnTo = null } = beginning
  const name = beginning.name ?? (await connectionNameOf(context.sql, store.id, mounted.adapter, shop))
  const row = await connectNamed(context, mounted, { storeId: store.id, name, shop })
  return startSignIn(context, row, { begunBy, redirectUri: `${origin}${OAUTH_CALLBACK}`, returnTo })
}

interface NamedShop {
  readonly storeId: string
  readonly name: string
  readonly shop: string | undefined
}

/** Finds the connection with this name. Throws `conflict` if it belongs to another shop, or if another connection belongs to this shop. */
async function findExisting(context: Context, { adapter }: MountedAdapter<'connector'>, { storeId, name, shop }: NamedShop) {
  const row = await findConnectionToReplace(context, storeId, adapter.slug, name, {})
  if (row && adapter.shop !== undefined && row.settings[adapter.shop] !== shop)
    throw connectorShopErrors.nameOfOtherShop({ name, label: adapter.label })
  if (row || adapter.shop === undefined || shop === undefined) return row
  const [other] = await listStoreConnectionsOfShop(context.sql, { storeId, key: adapter.slug, setting: adapter.shop, host: shop })
  if (other) throw alreadyConnectedError(shop, other)
  return undefined
}

/**
 * Connects the shop, or enables the existing connection. Keeps existing credentials unless new keys are given, since the owner may still
 * refuse.
 */
async function connectNamed(
  context: Context,
  mounted: MountedAdapter<'connector'>,
  named: NamedShop,
  keys?: Keys,
): Promise<ConnectorConnection['row']> {
  const { slug, shop: setting } = mounted.adapter
  const { storeId, name, shop } = named
  const row = await findExisting(context, mounted, named)
  if (row) return changeConnection(context, storeId, slug, { enabled: true, ...(keys && { credentials: keys }) }, { connection: row.id })
  const settings = setting === undefined || shop === undefined ? {} : { [setting]: shop }
  return connectAdapter(context, storeId, slug, { enabled: true, name, credentials: keys ?? {}, settings })
}

/**
 * Receives keys that a shop sends after its owner has consented. Only the one-time state authenticates them, so they count if the named
 * shop accepts them.
 */
export async function receiveKeys(context: Context, platform: string, request: InboundRequest): Promise<void> {
  const mounted = platformOf(context, platform)
  const { link } = mounted.adapter
  if (!link) throw notFound('An address for keys of this platform')
  const options = { hosts: [], deadlineMs: ASK_MS, schema: LinkAnswered }
  const { state, credentials } = await callWithoutConnection(context, mounted, (own) => link.read(request, own), options)
  const digest = sha256(state)
  const begun = await consumeInstallLink(context.sql, platform, digest)
  if (!begun) throw connectorShopErrors.linkUsed({ field: [] })
  if (!(await canStillConnect(context.sql, begun))) throw connectorShopErrors.rightLost({ field: [] })
  const isAccepted =
    !(await isRejected(context, mounted, begun, credentials)) && (await connectWithKeys(context, mounted, begun, credentials))
  await recordInstallOutcome(context.sql, digest, isAccepted ? 'connected' : 'failed')
  if (!isAccepted) throw connectorShopErrors.keysRejected({ field: [] })
}

type Keys = Readonly<Record<string, string>>

async function connectWithKeys(context: Context, mounted: MountedAdapter<'connector'>, named: NamedShop, keys: Keys): Promise<boolean> {
  const row = await connectNamed(context, mounted, named, keys)
  return (await findConnection(context.sql, row))?.status === 'connected'
}

/** Returns true if an existing connection's shop rejects the new keys, which then must not replace the old ones. */
async function isRejected(context: Context, mounted: MountedAdapter<'connector'>, named: NamedShop, keys: Keys): Promise<boolean> {
  const row = await findExisting(context, mounted, named)
  if (!row) return false
  const connection = openConnection(context, 'connector', row)
  const tried = { ...connection, credentials: { ...connection.credentials, ...keys } }
  return callAdapter(context, tried, (adapter, own) => adapter.testConnection(own), { operation: TEST_OPERATION, deadlineMs: ASK_MS }).then(
    () => false,
    (error: unknown) => error instanceof AdapterFailure && error.reason === 'unauthorized',
  )
}

/** Outcome of a browser that returns. */
export interface InstallReturn {
  readonly outcome: InstallOutcome
  /** Page to redirect to, if one was given. */
  readonly redirectTo: string | null
}

/** Handles the return of the browser, from a shop that sends keys or from a sign-in; some platforms know only this address. */
export async function finishInstall(context: Context, platform: string, state: string, query: URLSearchParams): Promise<InstallReturn> {
  if (!isSignInState(state)) return { outcome: await outcomeOf(context, platform, state), redirectTo: null }
  const finished = await finishSignIn(context, query, null)
  return { outcome: finished.outcome, redirectTo: finished.returnTo && returnUrlWithOutcome(finished.returnTo, finished) }
}

/** Returns the outcome of a link. Keys that have not arrived when the browser returns will not arrive, so it counts as denied. */
async function outcomeOf(context: Context, platform: string, state: string): Promise<InstallOutcome> {
  const link = await findInstallLink(context.sql, platform, sha256(state))
  if (!link) throw connectorShopErrors.linkUnknown({ field: ['state'] })
  return link.outcome ?? 'denied'
}
