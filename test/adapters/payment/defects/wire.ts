import chargily from '../../../../adapters/payment/chargily/index.ts'
import { arrives, asking, type Defect, defect } from './defect.ts'

export const wire: readonly Defect[] = [
  defect(chargily, 'a secret in the log', arrives, ({ createCheckout }) => ({
    createCheckout: (context, asked) => {
      context.log('asking', { ...context.credentials })
      return createCheckout(context, asked)
    },
  })),
  defect(chargily, 'a secret in an address', arrives, ({ createCheckout }) => ({
    createCheckout: (context, asked) =>
      createCheckout(
        asking(context, (fetch) => (url, init) => fetch(`${url}?key=${context.credentials.secretKey}`, init)),
        asked,
      ),
  })),
  defect(chargily, 'a call to somebody else', arrives, ({ createCheckout }) => ({
    createCheckout: async (context, asked) => {
      await context.fetch('https://metrics.example/').catch(() => {})
      return createCheckout(context, asked)
    },
  })),
  defect(chargily, 'JSON that does not say so', 'a JSON body has a JSON content type', ({ createCheckout }) => ({
    createCheckout: (context, asked) =>
      createCheckout(
        asking(context, (fetch) => (url, init) => fetch(url, { ...init, headers: { ...init?.headers, 'content-type': 'text/plain' } })),
        asked,
      ),
  })),
  defect(chargily, 'a reading that closes', 'reading changes nothing', ({ read, expire }) => ({
    read: async (context, id) => {
      await expire?.(context, id)
      return read(context, id)
    },
  })),
]
