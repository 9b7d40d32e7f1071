import { Type as T } from '@sinclair/typebox'
import { Pixel } from '../../../plugins/ads/model.ts'
import type { Context } from '../../context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { toDomainError } from '../../integrations/connections/calls/adapter-failures.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { chooseConnection } from '../../integrations/connections/choose-connection.ts'
import { notEnabledError, openConnection } from '../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../integrations/connections/connections.errors.ts'
import { findConnectionById } from '../../integrations/connections/connections.queries.ts'
import { findOrCreateConnectionToSignIn } from '../../integrations/connections/oauth-client/connection-to-sign-in.ts'
import { finishSignIn } from '../../integrations/connections/oauth-client/finish-sign-in.ts'
import { returnUrlWithOutcome, signInResultPage } from '../../integrations/connections/oauth-client/result-page.ts'
import { startSignIn } from '../../integrations/connections/oauth-client/start-sign-in.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findStore } from '../../shop/stores/stores.queries.ts'
import { listAccounts } from './settings.queries.ts'

const CALL_MS = 20_000
/** Longest duration for all accounts together, in milliseconds. */
const READING_MS = 30_000

/** Finds the advertising platform with a name. Falls back to `<name>-ads` if an adapter of another kind has the name. */
function platformOf({ plugins }: Context, provider: string) {
  const mounted = plugins.find('ads', provider) ?? plugins.find('ads', `${provider}-ads`)
  if (!mounted) throw notFound(`An advertising platform "${provider}"`)
  return mounted.adapter
}

interface SignInStart {
  readonly begunBy: string
  readonly mobile?: boolean
  readonly returnTo?: string
}

/** Starts a sign-in at the platform and returns the address that the browser must open. */
export async function startAdsSignIn(
  context: Context,
  store: Store,
  provider: string,
  { begunBy, mobile, returnTo }: SignInStart,
): Promise<string> {
  const { slug } = platformOf(context, provider)
  const row = await findOrCreateConnectionToSignIn(context, store.id, slug)
  const own = `${serverAddress(context)}/v1/social/${encodeURIComponent(provider)}`
  const result = `${own}/${mobile ? 'marketing/mobile-result' : 'oauth-result'}`
  return startSignIn(context, row, { begunBy, redirectUri: `${own}/marketing/callback`, returnTo: returnTo ?? result })
}

/**
 * Completes a sign-in when the browser returns, and redirects to its result. Throws if the state is unknown, used, expired or another
 * user's.
 */
export async function finishAdsSignIn(context: Context, query: URLSearchParams, caller: string | null): Promise<Response> {
  const finished = await finishSignIn(context, query, caller)
  return finished.returnTo === null ? signInResultPage(finished, null) : redirectTo(returnUrlWithOutcome(finished.returnTo, finished))
}

interface ResultQuery {
  readonly outcome?: 'connected' | 'denied' | 'failed'
  readonly integration?: string
  readonly connection?: string
}

/** Renders the result page from its query. Names the store, so that the user sees which one they connected. */
export async function renderSignInResult(
  context: Context,
  provider: string,
  { outcome = 'failed', connection: connectionId = '' }: ResultQuery,
  request: Request,
): Promise<Response> {
  const { label, slug: key } = platformOf(context, provider)
  const row = await findConnectionById(context.sql, connectionId)
  const store = row?.key === key ? await findStore(context.sql, row.storeId) : undefined
  const shown = { outcome, label, key, connectionId, storeName: store?.name ?? '', returnTo: null, message: null }
  return signInResultPage(shown, request.headers.get('accept-language'))
}

const Pixels = T.Array(Pixel)

/** Lists the pixels of one linked account, or of all, each once. */
export async function fetchPixels(context: Context, store: Store, provider: string, accountId: string | undefined): Promise<Pixel[]> {
  const { slug, label } = platformOf(context, provider)
  const row = await chooseConnection(context, store.id, slug)
  if (!row.enabled) throw notEnabledError('ads', notEnabledSentences.notOfStore(label))
  const connection = openConnection(context, 'ads', row)
  const linked = (await listAccounts(context.sql, row)).map(({ id }) => id)
  if (accountId !== undefined && !linked.includes(accountId)) throw notFound(`The linked ad account ${accountId}`)
  const signal = AbortSignal.timeout(READING_MS)
  const found = new Map<string, Pixel>()
  for (const id of accountId === undefined ? linked : [accountId]) {
    const pixels = await callAdapter(context, connection, (adapter, own) => adapter.pixels(own, id), {
      operation: 'pixels',
      signal,
      deadlineMs: CALL_MS,
      schema: Pixels,
    }).catch((error) => Promise.reject(toDomainError(error)))
    for (const pixel of pixels) found.set(pixel.id, pixel)
  }
  return [...found.values()]
}
