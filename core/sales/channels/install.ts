import { Type as T } from '@sinclair/typebox'
import type { InboundRequest } from '../../../plugins/adapter.ts'
import { LinkAnswered } from '../../../plugins/connector/model.ts'
import { hostIn } from '../../../plugins/connector/written.ts'
import type { Mounted } from '../../../plugins/host/registry.ts'
import type { Context } from '../../context.ts'
import { ApiError, invalid, notFound } from '../../http/errors.ts'
import { newToken, sha256 } from '../../lib/crypto.ts'
import { known } from '../../lib/known.ts'
import { askWithoutConnection } from '../../shop/connections/anonymous.ts'
import { connect } from '../../shop/connections/connect.ts'
import { findConnection } from '../../shop/connections/connections.queries.ts'
import { startSignIn } from '../../shop/connections/oauth/start.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findLink, insertLink, mayStill, sayLink, takeLink } from './links.queries.ts'
import { rowsAt, rowsSignInUrl } from './rows/connect.ts'

const MINUTES = 30
const ASK_MS = 10_000
const APP = 'Serai'
const OAUTH_CALLBACK = '/v1/integrations/oauth/callback'

export interface Beginning {
  readonly store: Store
  readonly platform: string
  readonly shop: string | undefined
  readonly name: string | undefined
  readonly returnTo: string | undefined
  /** Who asks. */
  readonly begunBy: string
  /** Where this server is reached from outside. */
  readonly origin: string
}

export type Outcome = 'connected' | 'denied' | 'failed'

const platformOf = ({ plugins }: Context, key: string): Mounted<'connector'> => {
  const mounted = plugins.find('connector', key)
  if (!mounted) throw notFound(`A platform "${key}"`)
  return mounted
}

/** The address that the shop's owner opens so that the shop is connected. Throws `not_found` where keys are typed in. */
export async function installUrl(context: Context, beginning: Beginning): Promise<string> {
  const { store, begunBy, origin, returnTo = null } = beginning
  const sheets = rowsAt(context, beginning.platform)
  if (sheets) return rowsSignInUrl(context, store.id, sheets, { begunBy, redirectUri: `${origin}${OAUTH_CALLBACK}`, returnTo })
  const mounted = platformOf(context, beginning.platform)
  const { adapter } = mounted
  const shop = hostIn(beginning.shop)
  if (adapter.shop !== undefined && shop === undefined)
    throw invalid('/query/shop', `Say which shop of ${adapter.label}: its host, such as shop.example.`)
  if (adapter.link) return linkUrl(context, mounted, beginning, shop ?? '')
  if (adapter.oauth) return signInUrl(context, mounted, beginning, shop)
  throw new ApiError('not_found', `${adapter.label} is connected by its keys alone: POST /v1/stores/{storeId}/integrations/connectors.`)
}

async function linkUrl(context: Context, mounted: Mounted<'connector'>, beginning: Beginning, shop: string): Promise<string> {
  const { link, slug } = mounted.adapter
  const { store, origin, begunBy, name = shop } = beginning
  const state = newToken('cl')
  await insertLink(context.sql, { digest: sha256(state), storeId: store.id, key: slug, shop, name, begunBy }, MINUTES)
  const back = `${origin}/v1/integrations/connectors/${slug}/callback`
  const asked = { shop, app: APP, state, returnUrl: `${back}?state=${state}`, callbackUrl: back }
  const options = { hosts: [], deadlineMs: ASK_MS, schema: T.Object({ url: T.String() }) }
  const { url } = await askWithoutConnection(context, mounted, (own) => known(link, 'A link that is offered').address(own, asked), options)
  return url
}

async function signInUrl(context: Context, mounted: Mounted<'connector'>, beginning: Beginning, shop: string | undefined): Promise<string> {
  const { adapter } = mounted
  const { store, origin, begunBy, returnTo = null, name = shop ?? '' } = beginning
  const settings = adapter.shop === undefined || shop === undefined ? {} : { [adapter.shop]: shop }
  const row = await connect(context, store.id, adapter.slug, { enabled: true, name, credentials: {}, settings })
  return startSignIn(context, row, { begunBy, redirectUri: `${origin}${OAUTH_CALLBACK}`, returnTo })
}

/**
 * Keys that a shop sends us after its owner said yes. Nothing proves them but a state that works once, so they count when the shop that was
 * named takes them.
 */
export async function takeKeys(context: Context, platform: string, request: InboundRequest): Promise<void> {
  const mounted = platformOf(context, platform)
  const { link, shop } = mounted.adapter
  if (!link) throw notFound('An address for keys of this platform')
  const options = { hosts: [], deadlineMs: ASK_MS, schema: LinkAnswered }
  const { state, credentials } = await askWithoutConnection(context, mounted, (own) => link.read(request, own), options)
  const digest = sha256(state)
  const begun = await takeLink(context.sql, platform, digest)
  if (!begun) throw invalid('/body', 'This was used, is too old, or was never begun. Begin again.')
  if (!(await mayStill(context.sql, begun))) throw invalid('/body', 'Whoever began this may not connect the store any more.')
  const settings = shop === undefined ? {} : { [shop]: begun.shop }
  const { id } = await connect(context, begun.storeId, platform, { enabled: true, name: begun.name, credentials, settings })
  const isTaken = (await findConnection(context.sql, id))?.status === 'connected'
  await sayLink(context.sql, digest, isTaken ? 'connected' : 'failed')
  if (!isTaken) throw invalid('/body', 'The shop does not take these keys.')
}

/** How it went, for the person whose browser comes back. Without keys by now there will be none. */
export async function outcomeOf(context: Context, platform: string, state: string): Promise<Outcome> {
  const link = await findLink(context.sql, platform, sha256(state))
  if (!link) throw invalid('/query/state', 'Nothing was begun with this. Begin again.')
  return link.outcome ?? 'denied'
}
