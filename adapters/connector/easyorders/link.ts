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

/** EasyOrders' consent page, which then sends an API key. The parameters are in the fragment (`#`) of its address. */
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
      // The callback names neither the connection nor the webhook secret, so its address holds them.
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
