import chargily from '../../../../adapters/payment/chargily/index.ts'
import { AdapterError } from '../../../../plugins/payment/index.ts'
import template from '../../../../plugins/payment/template/index.ts'
import { again, arrives, asking, type Defect, defect, reading } from './defect.ts'

export const making: readonly Defect[] = [
  defect(chargily, 'an upper-case slug', 'the definition is sane', () => ({ slug: 'Chargily' })),
  defect(chargily, 'the same currency twice', 'the definition is sane', () => ({ currencies: ['DZD', 'DZD'] })),
  defect(chargily, 'a secret setting', 'the fields can be shown in a form', () => ({
    settings: { key: { label: 'Key', secret: true } },
  })),
  defect(template, 'refunds that nobody gives', 'members that require each other are complete', () => ({ refund: undefined as never })),
  defect(chargily, 'wider windows', 'its rate windows are within those of the gateway', () => ({
    rateWindows: [{ calls: 600, seconds: 60 }],
  })),
  defect(chargily, 'a test that looks nowhere', 'wrong credentials are reported as unauthorized', () => ({ testConnection: () => ({}) })),
  defect(chargily, 'centimes for dinars', arrives, ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, amount: asked.amount * 100 }),
  })),
  defect(chargily, 'a unit that is not its own', arrives, () => ({ unit: 'minor' })),
  defect(chargily, 'the addresses exchanged', arrives, ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, returnUrl: asked.cancelUrl, cancelUrl: asked.returnUrl }),
  })),
  defect(chargily, 'no address of callbacks', arrives, ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, webhookUrl: asked.returnUrl }),
  })),
  defect(chargily, 'a name of its own making', arrives, ({ createCheckout }) => ({
    createCheckout: async (context, asked) => ({ ...(await createCheckout(context, asked)), externalId: asked.paymentId }),
  })),
  defect(chargily, 'one language', 'a checkout in the language ar arrives as requested', ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, language: 'en' }),
  })),
  defect(chargily, 'a rounded amount', 'an amount of 12345 arrives unchanged', ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, amount: Math.round(asked.amount / 100) * 100 }),
  })),
  defect(template, 'one currency', 'each currency arrives unchanged', ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, currency: asked.currency === 'EUR' ? 'DZD' : asked.currency }),
  })),
  defect(chargily, 'any currency', 'an unsupported currency is refused', ({ createCheckout }) => ({
    createCheckout: (context, asked) => createCheckout(context, { ...asked, currency: 'DZD' }),
  })),
  defect(
    chargily,
    'a payment of its own accord',
    'a repeated checkout is not paid by itself',
    reading((news) => ({ ...news, status: 'paid' })),
  ),
  defect(chargily, 'a refusal without words', 'a refusal has the message of the gateway', ({ createCheckout }) => ({
    createCheckout: (context, asked) =>
      Promise.resolve(createCheckout(context, asked)).catch(() => Promise.reject(new AdapterError('refused', 'It did not work.'))),
  })),
  defect(chargily, 'a second try after a lost answer', 'at most one checkout exists after: lost answer', ({ createCheckout }) => ({
    createCheckout: (context, asked) => again(() => createCheckout(context, asked)),
  })),
  defect(chargily, 'a second try after a 5xx', 'at most one checkout exists after: error after', ({ createCheckout }) => ({
    createCheckout: (context, asked) => again(() => createCheckout(context, asked)),
  })),
  defect(chargily, 'a lost answer called a refusal', 'createCheckout is unavailable after: lost answer', ({ createCheckout }) => ({
    createCheckout: (context, asked) =>
      Promise.resolve(createCheckout(context, asked)).catch(() => Promise.reject(new AdapterError('refused', 'It did not work.'))),
  })),
  defect(
    chargily,
    'an answer that says nothing taken for a checkout',
    'createCheckout is unavailable after: mumbled',
    ({ createCheckout }) => ({
      createCheckout: (context, asked) =>
        Promise.resolve(createCheckout(context, asked)).catch(() => ({ externalId: 'x', url: 'https://pay.chargily.dz/' })),
    }),
  ),
  defect(chargily, 'redirects that are followed', 'read is unavailable after: redirected', ({ read }) => ({
    read: (context, id) =>
      read(
        asking(context, (fetch) => (url, init) => fetch(url, { ...init, followRedirects: true })),
        id,
      ),
  })),
  defect(chargily, 'a quota without the time to wait', 'read over quota reports the time to wait', ({ read }) => ({
    read: (context, id) =>
      Promise.resolve(read(context, id)).catch(() => Promise.reject(new AdapterError('rate_limited', 'Too many calls.'))),
  })),
]
