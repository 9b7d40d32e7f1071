import chargily from '../../../../adapters/payment/chargily/index.ts'
import sandbox from '../../../../adapters/payment/sandbox-payment/index.ts'
import template from '../../../../plugins/payment/template/index.ts'
import { asking, type Defect, defect, reading } from './defect.ts'

export const outcomes: readonly Defect[] = [
  defect(
    chargily,
    'a failed payment that was paid',
    'a checkout that is failed is read as such',
    reading((news) => ({ ...news, status: 'paid' })),
  ),
  defect(
    chargily,
    'an expired checkout that is open',
    'a checkout that is expired is read as such',
    reading((news) => ({ ...news, status: 'open' })),
  ),
  defect(
    chargily,
    'our name lost',
    'a checkout that is paid is read as such',
    reading(({ paymentId: _, ...news }) => news),
  ),
  defect(
    chargily,
    'another currency',
    'what was paid is told with its amount and currency',
    reading((news) => ({ ...news, currency: 'EUR' })),
  ),
  defect(
    chargily,
    'what was asked for told as paid',
    'another amount than was asked for is told as it is',
    reading((news) => ({ ...news, amount: 250_000 })),
  ),
  defect(
    chargily,
    'a fee a hundred times too large',
    'what the gateway keeps is told',
    reading(({ fee = 0, ...news }) => ({ ...news, fee: fee * 100 })),
  ),
  defect(
    chargily,
    'an amount of what is not paid',
    'what is not paid has no amount that was',
    reading((news) => ({ ...news, amount: 250_000 })),
  ),
  defect(chargily, 'nothing found taken for open', 'a checkout that was never made is not found', ({ read }) => ({
    read: (context, id) => Promise.resolve(read(context, id)).catch(() => ({ externalId: id, status: 'open' })),
  })),
  defect(chargily, 'a name that is a path', 'a name leads nowhere else', ({ read }) => ({
    read: (context, id) =>
      read(
        asking(context, (fetch) => (url, init) => fetch(url.replace(encodeURIComponent(id), id), init)),
        id,
      ),
  })),
  defect(chargily, 'amounts that are numbers alone', 'the same is read where the other side writes numbers as text', ({ read }) => ({
    read: (context, id) =>
      read(
        asking(context, (fetch) => async (url, init) => {
          const row = (await (await fetch(url, init)).json()) as Record<string, unknown>
          return Response.json(typeof row.amount === 'string' ? { ...row, amount: null } : row)
        }),
        id,
      ),
  })),
  defect(template, 'a checkout that is not closed', 'a checkout that was closed cannot be paid', () => ({ expire: () => {} })),
  defect(template, 'a refusal to close that is kept quiet', 'what is paid is not closed', ({ expire }) => ({
    expire: (context, id) => Promise.resolve(expire?.(context, id)).catch(() => {}),
  })),
  defect(
    sandbox,
    'held money that is paid',
    'money that is held is not paid yet',
    reading((news) => ({ ...news, status: 'paid' })),
  ),
  defect(sandbox, 'money that is never taken', 'money that is held is taken once', ({ read }) => ({
    capture: async (context, id) => ({ ...(await read(context, id)), status: 'paid' }),
  })),
  defect(template, 'a refund under a new name each time', 'a refund asked for again is given once', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, amount: 1_000, refundId: crypto.randomUUID() }),
  })),
  defect(template, 'a refund tried again under a new name', 'a refund is given once after: lost answer', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, amount: 1_000, refundId: crypto.randomUUID() }),
  })),
  defect(template, 'all given back for a part', 'a part of what was paid is given back, then the rest', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, amount: 250_000 }),
  })),
  defect(template, 'two refunds taken for one', 'refunds of the same amount are each given', ({ refund }) => ({
    refund: (context, asked) => refund!(context, { ...asked, refundId: `${asked.amount}` }),
  })),
  defect(template, 'a refund that nobody gave', 'all that was paid is given back', () => ({
    refund: () => ({ externalId: 'r', status: 'done' }),
  })),
]
