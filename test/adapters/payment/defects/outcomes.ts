import chargily from '../../../../adapters/payment/chargily/index.ts'
import sandbox from '../../../../adapters/payment/sandbox-payment/index.ts'
import template from '../../../../plugins/payment/template/index.ts'
import { asking, type Defect, defect, reading } from './defect.ts'

export const outcomes: readonly Defect[] = [
  defect(
    chargily,
    'a failed payment that was paid',
    'a checkout that is failed is read with this status',
    reading((news) => ({ ...news, status: 'paid' })),
  ),
  defect(
    chargily,
    'an expired checkout that is open',
    'a checkout that is expired is read with this status',
    reading((news) => ({ ...news, status: 'open' })),
  ),
  defect(
    chargily,
    'our name lost',
    'a checkout that is paid is read with this status',
    reading(({ paymentId: _, ...news }) => news),
  ),
  defect(
    chargily,
    'another currency',
    'a paid checkout has its amount and currency',
    reading((news) => ({ ...news, currency: 'EUR' })),
  ),
  defect(
    chargily,
    'what was asked for told as paid',
    'a paid amount that differs from the requested one is read unchanged',
    reading((news) => ({ ...news, amount: 250_000 })),
  ),
  defect(
    chargily,
    'a fee a hundred times too large',
    'a paid checkout has its fee',
    reading(({ fee = 0, ...news }) => ({ ...news, fee: fee * 100 })),
  ),
  defect(
    chargily,
    'an amount of what is not paid',
    'an unpaid checkout has no paid amount',
    reading((news) => ({ ...news, amount: 250_000 })),
  ),
  defect(chargily, 'nothing found taken for open', 'an unknown checkout is not found', ({ read }) => ({
    read: (context, id) => Promise.resolve(read(context, id)).catch(() => ({ externalId: id, status: 'open' })),
  })),
  defect(chargily, 'a name that is a path', 'an id with special characters does not change the path', ({ read }) => ({
    read: (context, id) =>
      read(
        asking(context, (fetch) => (url, init) => fetch(url.replace(encodeURIComponent(id), id), init)),
        id,
      ),
  })),
  defect(chargily, 'amounts that are numbers alone', 'a response with numbers as text is read the same', ({ read }) => ({
    read: (context, id) =>
      read(
        asking(context, (fetch) => async (url, init) => {
          const row = (await (await fetch(url, init)).json()) as Record<string, unknown>
          return Response.json(typeof row.amount === 'string' ? { ...row, amount: null } : row)
        }),
        id,
      ),
  })),
  defect(template, 'a checkout that is not closed', 'a closed checkout cannot be paid', () => ({ expire: () => {} })),
  defect(template, 'a refusal to close that is kept quiet', 'a paid checkout cannot be closed', ({ expire }) => ({
    expire: (context, id) => Promise.resolve(expire?.(context, id)).catch(() => {}),
  })),
  defect(
    sandbox,
    'held money that is paid',
    'an authorized payment is not paid yet',
    reading((news) => ({ ...news, status: 'paid' })),
  ),
  defect(sandbox, 'money that is never taken', 'an authorized payment is captured once', ({ read }) => ({
    capture: async (context, id) => ({ ...(await read(context, id)), status: 'paid' }),
  })),
  defect(template, 'a refund under a new name each time', 'a repeated refund is made once', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, amount: 1_000, refundId: crypto.randomUUID() }),
  })),
  defect(template, 'a refund tried again under a new name', 'a refund is made once after: lost answer', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, amount: 1_000, refundId: crypto.randomUUID() }),
  })),
  defect(template, 'all given back for a part', 'two partial refunds return the amount paid', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, amount: 250_000 }),
  })),
  defect(template, 'two refunds taken for one', 'two refunds of the same amount are both made', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, refundId: `${asked.amount}` }),
  })),
  defect(template, 'a refund that nobody gave', 'a full refund returns the amount paid', () => ({
    refund: () => ({ externalId: 'r', status: 'done' }),
  })),
]
