import { AdapterError, type InboundRequest, isRow, jsonIn, type LinkAnswered, type LinkAsked, text } from 'serai/connector'

const RIGHTS = 'products:read,orders:read,orders:update'

/** EasyOrders' own page, where the owner says yes; it then sends a key. Everything stands behind the address's `#`. */
export const link = {
  address: (_: unknown, { app, state, returnUrl, callbackUrl }: LinkAsked) => {
    if (!callbackUrl.startsWith('https://'))
      throw new AdapterError('refused', 'Keys are sent over https alone: this server needs a PUBLIC_URL that begins with https.')
    const asked = new URLSearchParams({
      app_name: app,
      app_description: app,
      permissions: RIGHTS,
      // What it sends says nothing of who began: its address does.
      callback_url: `${callbackUrl}?state=${encodeURIComponent(state)}`,
      redirect_url: returnUrl,
    })
    return { url: `https://app.easy-orders.net/#/install-app?${asked}` }
  },
  read({ url, body }: InboundRequest): LinkAnswered {
    const said = jsonIn(new TextDecoder().decode(body))
    const [state, apiKey] = [new URL(url, 'https://here.invalid').searchParams.get('state'), isRow(said) ? text(said.api_key) : undefined]
    if (!state || !apiKey) throw new AdapterError('refused', 'These are no keys of a shop.')
    return { state, credentials: { apiKey } }
  },
}
