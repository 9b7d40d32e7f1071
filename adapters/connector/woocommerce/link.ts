import { AdapterError, type InboundRequest, isRow, jsonIn, type LinkAnswered, type LinkAsked, text, withQuery } from 'serai/connector'

/** The shop's own consent page. The shop sends the keys to our server, not through the browser. */
export const link = {
  address: (_: unknown, { shop, app, state, returnUrl, callbackUrl }: LinkAsked) => {
    if (!callbackUrl.startsWith('https://'))
      throw new AdapterError('refused', 'A shop sends its keys over https alone: this server needs a PUBLIC_URL that begins with https.')
    const query = { app_name: app, scope: 'read_write', user_id: state, return_url: returnUrl, callback_url: callbackUrl }
    return { url: withQuery(`https://${shop}/wc-auth/v1/authorize`, query) }
  },
  read({ body }: InboundRequest): LinkAnswered {
    const row = jsonIn(new TextDecoder().decode(body))
    const [state, consumerKey, consumerSecret] = isRow(row) ? [row.user_id, row.consumer_key, row.consumer_secret].map(text) : []
    if (!state || !consumerKey || !consumerSecret) throw new AdapterError('refused', 'These are no keys of a shop.')
    return { state, credentials: { consumerKey, consumerSecret } }
  },
}
