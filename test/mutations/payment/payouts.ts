// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in reading payouts. */
export const payoutFaults: Mutations = {
  'page of payouts or payout lines skipped': [
    ['stripe', 'payouts.ts', 'next: has_more === true && last !== undefined ? last : null', 'next: null'],
    ['stripe', 'payouts.ts', 'const last = idIn(data.at(-1))', 'const last = idIn(data[0])'],
    ['stripe', 'payouts.ts', 'limit: LINES_A_PAGE,\n    ...present({ starting_after: cursor ?? undefined }),', 'limit: LINES_A_PAGE,'],
  ],
  'payout line wrong or missing': [
    ['stripe', 'payouts.ts', '    payout: externalId,\n', ''],
    ['stripe', 'payouts.ts', 'found.filter((one) => !isItself(one))', 'found'],
    ['stripe', 'payouts.ts', 'found.filter((one) => !isItself(one))', "found.filter(({ type }) => !String(type).startsWith('payout'))"],
    ['sandbox-payment', 'payouts.ts', 'line.currency === currency && Math.floor', 'Math.floor'],
    [
      'sandbox-payment',
      'payouts.ts',
      'if (line.currency === currency && Math.floor(at / Number(span)) === Number(place))',
      'if (line.currency === currency)',
    ],
  ],
  'payout line in the wrong unit, or with the wrong sign': [
    [
      'stripe',
      'payouts.ts',
      'signedInteger(row.amount), signedInteger(row.fee), signedInteger(row.net)]',
      'signedInteger(row.net), 0, signedInteger(row.net)]',
    ],
    ['stripe', 'payouts.ts', '    gross,\n    fee,\n', '    gross: Math.abs(gross),\n    fee,\n'],
    ['sandbox-payment', 'payouts.ts', 'gross: -amount, fee: 0, net: -amount', 'gross: amount, fee: 0, net: amount'],
    ['sandbox-payment', 'payouts.ts', 'gross: paid, fee, net: paid - fee', 'gross: paid, fee: 0, net: paid'],
  ],
  'payment or refund of a payout line missing or wrong': [
    ['stripe', 'payouts.ts', "'expand[]': ['data.source'],", ''],
    ['stripe', 'payouts.ts', '    ...(source && present({ checkoutId: await checkoutOf(context, source, sessions) })),\n', ''],
    ['stripe', 'payouts.ts', 'return sessions.get(intent)', 'return [...sessions.values()][0]'],
    ['stripe', 'payouts.ts', 'nameIn(refund.metadata.refundId, OURS_MAX)', 'nameIn(refund.id, OURS_MAX)'],
    ['sandbox-payment', 'payouts.ts', 'refundExternalId: externalId, refundId, externalId:', 'externalId:'],
  ],
  'payout status read wrongly': [
    ['stripe', 'payouts.ts', "in_transit: 'in_transit'", "in_transit: 'paid'"],
    ['stripe', 'payouts.ts', "failed: 'failed'", "failed: 'paid'"],
    ['stripe', 'payouts.ts', "canceled: 'cancelled'", "canceled: 'failed'"],
    ['stripe', 'payouts.ts', "pending: 'pending'", "pending: 'in_transit'"],
  ],
  'money of a failed payout not reported': [
    ['stripe', 'payouts.ts', "  payout_failure: 'returned',\n", ''],
    ['stripe', 'payouts.ts', "...(kind === 'returned' && present({ payoutId: idIn(row.source) })),", ''],
  ],
  'arrival of a payout in the wrong unit, or on the wrong day': [
    ['stripe', 'payouts.ts', 'arrivesAt: timeIn(row.arrival_date)', 'arrivesAt: timeIn(row.created)'],
    ['sandbox-payment', 'payouts.ts', 'arrivesAt: time,', 'arrivesAt: new Date(context.now()).toISOString(),'],
  ],
  'missing payout read as empty': [
    ['stripe', 'payouts.ts', "if (cursor === null) await call(context, 'GET', `payouts/${encodeURIComponent(externalId)}`)", ''],
    ['sandbox-payment', 'payouts.ts', 'if (found.length === 0) throw new AdapterError', 'if (!externalId) throw new AdapterError'],
  ],
  'answer without a list read as the end': [
    [
      'stripe',
      'payouts.ts',
      'if (!Array.isArray(data) || !data.every(isRow)) throw unreadable(LABEL, `no list of ${path}`)',
      'if (!Array.isArray(data)) return { found: [], next: null }',
    ],
  ],
  'earlier payouts reported': [
    ['stripe', 'payouts.ts', "'created[gte]': Math.floor(Date.parse(since) / 1000),", ''],
    ['stripe', 'payouts.ts', 'Math.floor(Date.parse(since) / 1000)', 'Date.parse(since)'],
    ['sandbox-payment', 'payouts.ts', ' || madeAt < Date.parse(since)', ''],
  ],
}
