import {
  AdapterError,
  type InboundRequest,
  isRow,
  jsonIn,
  type LinkAnswered,
  type LinkAsked,
  newSecret,
  present,
  printed,
  text,
  withQuery,
} from 'serai/connector'

const RIGHTS = 'products:read,orders:read,orders:update'

/** EasyOrders' own page, where the owner says yes; it then sends a key. Everything stands behind the address's `#`. */
export const link = {
  address: (_: unknown, { app, state, returnUrl, callbackUrl, webhookUrl }: LinkAsked) => {
    if (!callbackUrl.startsWith('https://'))
      throw new AdapterError('refused', 'Keys are sent over https alone: this server needs a PUBLIC_URL that begins with https.')
    const token = newSecret()
    const heardAt = withQuery(webhookUrl, { token })
    const asked = new URLSearchParams({
      app_name: app,
      app_description: app,
      permissions: RIGHTS,
      // What it sends says nothing of who began, nor of what proves callbacks: its address does.
      callback_url: withQuery(callbackUrl, { state, token }),
      orders_webhook: heardAt,
      order_status_webhook: heardAt,
      redirect_url: returnUrl,
    })
    return { url: `https://app.easy-orders.net/#/install-app?${asked}` }
  },
  read({ url, body }: InboundRequest): LinkAnswered {
    const said = jsonIn(new TextDecoder().decode(body))
    const { searchParams: query } = new URL(url, 'https://here.invalid')
    const [state, apiKey, storeId] = [query.get('state'), ...(isRow(said) ? [text(said.api_key), printed(said.store_id, 100)] : [])]
    if (!state || !apiKey) throw new AdapterError('refused', 'These are no keys of a shop.')
    return { state, credentials: { apiKey, ...present({ callbackToken: query.get('token') || undefined, storeId }) } }
  },
}
