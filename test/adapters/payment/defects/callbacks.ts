import { createHmac } from 'node:crypto'
import chargily from '../../../../adapters/payment/chargily/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import template from '../../../../plugins/payment/template/index.ts'
import { believing, type Defect, defect, parsing } from './defect.ts'

export const callbacks: readonly Defect[] = [
  defect(
    chargily,
    'everything believed',
    'a proof with any character changed is rejected',
    believing(() => () => true),
  ),
  defect(
    chargily,
    'no proof taken for one',
    'a callback without its proof is rejected',
    believing((gateway) => (request, context) => request.headers.signature === undefined || isProven(gateway, request, context)),
  ),
  defect(
    chargily,
    'a signature in any case',
    'a proof with any character changed is rejected',
    believing(
      (gateway) => (request, context) =>
        isProven(
          gateway,
          { ...request, headers: { ...request.headers, signature: request.headers.signature?.toLowerCase() ?? '' } },
          context,
        ),
    ),
  ),
  defect(
    chargily,
    'the end of a body that is not signed',
    'a body with any byte changed is rejected',
    believing((gateway) => async (request, context) => {
      const trimmed = new TextEncoder().encode(new TextDecoder().decode(request.body).trim())
      return isProven(gateway, { ...request, body: trimmed }, context)
    }),
  ),
  defect(
    chargily,
    'JSON that is written anew',
    'a body with unusual spacing and characters is accepted and parsed',
    believing((gateway) => (request, context) => {
      const body = new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(request.body))))
      return isProven(gateway, { ...request, body }, context)
    }),
  ),
  defect(
    template,
    'an empty secret that signs',
    'without a secret every callback is rejected',
    believing((gateway) => (request, context) => !context.credentials.webhookSecret || isProven(gateway, request, context)),
  ),
  defect(
    chargily,
    'all callbacks taken for payments',
    'a callback for a checkout that is failed is parsed',
    parsing(
      (gateway) => async (request, context) => (await eventsIn(gateway, request, context)).map((news) => ({ ...news, status: 'paid' })),
    ),
  ),
  defect(
    chargily,
    'our name left out of the news',
    'a callback for a checkout that is paid is parsed',
    parsing((gateway) => async (request, context) => (await eventsIn(gateway, request, context)).map(({ paymentId: _, ...news }) => news)),
  ),
  defect(
    chargily,
    'any type taken for news',
    'an event of an unknown type is ignored',
    parsing((gateway) => (request, context) => {
      const body = new TextDecoder().decode(request.body).replace('checkout.dancing', 'checkout.paid')
      const signature = createHmac('sha256', String(context.credentials.secretKey)).update(body).digest('hex')
      return eventsIn(gateway, { ...request, headers: { signature }, body: new TextEncoder().encode(body) }, context)
    }),
  ),
  defect(
    chargily,
    'one bad event that hides the others',
    'a bad event does not hide the others',
    parsing((gateway) => async (request, context) => {
      const events = JSON.parse(new TextDecoder().decode(request.body)) as unknown[]
      const news = await eventsIn(gateway, request, context)
      return news.length === events.length ? news : []
    }),
  ),
  defect(
    chargily,
    'an error at garbage',
    'signed garbage is ignored',
    parsing((gateway) => (request, context) => {
      JSON.parse(new TextDecoder().decode(request.body))
      return eventsIn(gateway, request, context)
    }),
  ),
]
