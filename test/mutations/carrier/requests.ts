// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations } from '../plant.ts'

/** Faults in requests, rate limits and the verification of callbacks. */
export const requestFaults: Mutations = {
  'too many parcels tracked per call': [
    ['yalidine', 'parcels.ts', 'export const trackMax = 100', 'export const trackMax = 1000'],
    ['ecotrack', 'parcels.ts', 'export const trackMax = 100', 'export const trackMax = 500'],
    ['noest', 'index.ts', 'trackMax: BULK_MAX', 'trackMax: 250'],
    ['maystro', 'parcels.ts', 'export const TRACK_MAX = 10', 'export const TRACK_MAX = 100'],
    ['procolis', 'track.ts', 'export const trackMax = 20', 'export const trackMax = 200'],
    ['zimou', 'track.ts', 'export const trackMax = 50', 'export const trackMax = 500'],
    ['zrexpress', 'parcels.ts', 'export const trackMax = 40', 'export const trackMax = 1000'],
  ],
  'too many parcels sent per call': [
    ['yalidine', 'send.ts', 'export const sendManyMax = 100', 'export const sendManyMax = 1000'],
    ['ecotrack', 'send.ts', 'export const sendManyMax = 40', 'export const sendManyMax = 100'],
    ['noest', 'api.ts', 'export const BULK_MAX = 100', 'export const BULK_MAX = 200'],
    ['zrexpress', 'send.ts', 'export const sendManyMax = 20', 'export const sendManyMax = 100'],
    ['procolis', 'send.ts', 'export const sendManyMax = 20', 'export const sendManyMax = 200'],
  ],
  'rate limits ignored': [
    ['yalidine', 'index.ts', '{ calls: 50, seconds: 60 },\n', '\n'],
    ['yalidine', 'index.ts', '{ calls: 5, seconds: 1 },\n', '\n'],
    ['ecotrack', 'index.ts', 'rateWindows: [{ calls: 50, seconds: 60 }]', 'rateWindows: []'],
    ['maystro', 'index.ts', 'rateWindows: [{ calls: 45, seconds: 60 }]', 'rateWindows: [{ calls: 45, seconds: 1 }]'],
    ['noest', 'index.ts', 'rateWindows: [{ calls: 60, seconds: 60 }]', 'rateWindows: [{ calls: 600, seconds: 60 }]'],
    ['zimou', 'index.ts', 'rateWindows: [{ calls: 45, seconds: 60 }]', 'rateWindows: []'],
  ],
  'secret in a URL': [
    [
      'yalidine',
      'api.ts',
      '/v1/${path}${queryOf(query)}`',
      '/v1/${path}${queryOf({ ...query, api_token: account.context.credentials.apiToken })}`',
    ],
    ['maystro', 'api.ts', '/api/${path}`, {', '/api/${path}?token=${credentials.apiToken}`, {'],
    [
      'noest',
      'api.ts',
      'export const file = (context: Context, path: string, query: Readonly<Record<string, string>>): Promise<Answer> =>\n  ask(context, LABEL, address(path), { query,',
      'export const file = (context: Context, path: string, query: Readonly<Record<string, string>>): Promise<Answer> =>\n  ask(context, LABEL, address(path), { query: { ...query, api_token: context.credentials.apiToken },',
    ],
    [
      'zimou',
      'api.ts',
      '`https://${host}/api/${path}`, {',
      '`https://${host}/api/${path}?bearer=${encodeURIComponent(context.credentials.token)}`, {',
    ],
    ['zrexpress', 'api.ts', 'ask(context, label, `${base}/${path}`,', 'ask(context, label, `${base}/${path}?key=${apiKey}`,'],
    [
      'ecotrack',
      'api.ts',
      '`https://${host}/api/v1/${path}`, { ...question, headers }',
      '`https://${host}/api/v1/${path}`, { ...question, query: { ...question.query, api_token: context.credentials.token }, headers }',
    ],
  ],
  'secret in a message or a log': [
    [
      'yalidine',
      'send.ts',
      '`${account.company.label} refused the parcel: ',
      '`${account.company.label} (${account.context.credentials.apiToken}) refused the parcel: ',
    ],
    [
      'maystro',
      'orders.ts',
      'const { row, warnings } = await translate(context, shipment)',
      "const { row, warnings } = await translate(context, shipment)\n  context.log('sending', { with: context.credentials.apiToken })",
    ],
    ['procolis', 'send.ts', '`${label} refused the parcel: ', '`${label} (${account.context.credentials.key}) refused the parcel: '],
  ],
  'time of a signature ignored': [
    ['zrexpress', 'webhook.ts', 'if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) return false\n', '\n'],
    ['zrexpress', 'webhook.ts', 'const toleranceSeconds = 300', 'const toleranceSeconds = 1e12'],
    ['zrexpress', 'webhook.ts', 'now() / 1000 - Number(timestamp)', 'Number(timestamp) - Number(timestamp)'],
  ],
  'fixed time in a call': [
    ['yalidine', 'api.ts', "'x-api-token': apiToken }", "'x-api-token': apiToken, 'x-timestamp': '1764000000' }"],
    ['zrexpress', 'api.ts', "'x-tenant': tenant }", "'x-tenant': tenant, 'x-signature': 't=1764000000,v1=0f1e' }"],
    [
      'maystro',
      'api.ts',
      'const headers = { authorization,',
      "const headers = { authorization, 'x-timestamp': String(Math.floor(Date.now() / 1000)),",
    ],
  ],
  'forged callback accepted': [
    ['yalidine', 'webhook.ts', 'return hex !== undefined && isHmacSha256', 'return hex !== undefined || isHmacSha256'],
    [
      'ecotrack',
      'webhook.ts',
      "return isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(hex))",
      "return hex.length === 64 || isHmacSha256(credentials.webhookSecret ?? '', body, hexBytes(hex))",
    ],
    ['maystro', 'webhook.ts', 'return isSameSecret(credentials.callbackToken, ', 'return Boolean('],
    ['sandbox', 'webhook.ts', 'return hex !== undefined && isHmacSha256', 'return hex !== undefined || isHmacSha256'],
    [
      'zrexpress',
      'webhook.ts',
      "if (version === 'v1' && (await isHmacSha256(key, signed, base64Bytes(signature)))) return true",
      "if (version === 'v1' && signature) return true",
    ],
  ],
  'callback without its id': [
    ['yalidine', 'webhook.ts', '...(eventId !== undefined && { eventId }), ...news', '...news'],
    ['ecotrack', 'webhook.ts', '...(eventId !== undefined && { eventId }), ...news', '...news'],
    ['maystro', 'webhook.ts', '...(eventId !== undefined && { eventId }),\n', '\n'],
  ],
  'one invalid event hides the others': [
    [
      'yalidine',
      'webhook.ts',
      'return events.flatMap((event) => {',
      'if (events.some((event) => !isRow(event) || !isRow(event.data) || !text(event.data.tracking))) return []\n  return events.flatMap((event) => {',
    ],
    ['sandbox', 'webhook.ts', "else context.log('left out an event that lacks tracking, at, or status')", 'else return []'],
  ],
  'sent again without a look-up': [
    [
      'yalidine',
      'send.ts',
      'const row = rowOf(await create(account, [translated]), translated)',
      'const row = rowOf(await create(account, [translated]).catch(() => create(account, [translated])), translated)',
    ],
    [
      'maystro',
      'orders.ts',
      "await call(context, 'POST', 'stores/orders/', { json: row }), 'POST'",
      "await call(context, 'POST', 'stores/orders/', { json: row }).catch(() => call(context, 'POST', 'stores/orders/', { json: row })), 'POST'",
    ],
    [
      'zimou',
      'send.ts',
      "const answer = await call(context, 'POST', 'v3/packages', { json: row })",
      "const answer = await call(context, 'POST', 'v3/packages', { json: row }).catch(() => call(context, 'POST', 'v3/packages', { json: row }))",
    ],
    ['noest', 'send.ts', '.catch(noteIfUnknown(context, [reference]))', '.catch(() => validateCreated(context, translated))'],
  ],
  'lost answer reported as a refusal': [
    [
      'procolis',
      'api.ts',
      'throw unreadable(account.company.label, `no list of parcels at ${path}`)',
      "throw Object.assign(unreadable(account.company.label, 'no list'), { reason: 'refused' })",
    ],
    [
      'zimou',
      'send.ts',
      "throw unreadable(label, 'neither a refusal nor a tracking code')",
      "throw new CarrierError('refused', 'It gave no tracking code.')",
    ],
    [
      'yalidine',
      'send.ts',
      'if (!row?.refused) throw unreadable(account, `nothing on parcel ${shipment.reference}`)',
      "if (!row?.refused) throw new CarrierError('refused', 'It said nothing on the parcel.')",
    ],
    [
      'maystro',
      'api.ts',
      "if (value === undefined) throw unreadable(LABEL, 'no JSON')\n  return value",
      "if (value === undefined) throw problem({} as Context, { status: 422, headers: new Headers(), value } as Answer, 'POST')\n  return value",
    ],
  ],
  'look-up finds nothing, or anything': [
    ['yalidine', 'send.ts', 'if (rows.length === 0) return null\n', 'if (rows.length < 5) return null\n'],
    ['ecotrack', 'find.ts', 'if (matches.length > 0) return', 'if (matches.length > 50) return'],
    ['zrexpress', 'send.ts', 'found.filter((row) => row.externalId === reference)', 'found.filter((row) => row.externalId !== reference)'],
    ['sandbox', 'parcels.ts', 'return parcel ? sentOf(parcel) : null', "return parcel ? sentOf(parcel) : { trackingId: 'SBX1' }"],
  ],
  'cancellation without effect': [
    [
      'yalidine',
      'send.ts',
      "const answer = await call(account, 'DELETE', 'parcels/', { tracking: trackingId })",
      'const answer = [{ tracking: trackingId, deleted: true }]',
    ],
    [
      'ecotrack',
      'drafts.ts',
      "const answer = await call(account, 'delete/order', { method: 'DELETE', query: { tracking: trackingId } })",
      'const answer = { success: true }',
    ],
    [
      'zimou',
      'send.ts',
      "await call(context, 'DELETE', 'v3/packages/bulk', { json: { tracking_codes: [trackingId] } })\n  const left = await statusOf()",
      'const left = undefined',
    ],
    [
      'zrexpress',
      'change.ts',
      "await call(context, 'DELETE', `parcels/${encodeURIComponent(id)}`)",
      "await call(context, 'GET', `parcels/${encodeURIComponent(id)}`)",
    ],
    ['sandbox', 'parcels.ts', "(parcel) => withStatus(context, parcel, 'cancelled'))", '(parcel) => parcel)'],
  ],
  'edit changes another field': [
    ['yalidine', 'send.ts', "...(change.codAmount !== undefined && { price: dinars(change.codAmount, 'amount to collect') }),\n", '\n'],
    ['ecotrack', 'edit.ts', "telephone: 'tel',\n  telephone_2: 'tel2',", "telephone: 'tel2',\n  telephone_2: 'tel',"],
    ['maystro', 'orders.ts', '...(recipient && personOf(recipient).row),\n', '\n'],
    [
      'noest',
      'edit.ts',
      "montant: wholeDinars(codAmount, 'amount to collect') }),\n    ...(weightKg",
      "montant: wholeDinars(codAmount, 'amount to collect') * 100 }),\n    ...(weightKg",
    ],
    ['zrexpress', 'change.ts', "if (person) patches.push({ what: 'the recipient', path: 'customer', json: { ...person } })\n", '\n'],
  ],
  'invalid keys accepted': [
    ['ecotrack', 'api.ts', 'if (isRefusal(value)) throw tokenMalformed(account, text(value.message))\n', '\n'],
    [
      'procolis',
      'index.ts',
      "const answer = await call({ context, company }, 'GET', 'token')",
      "const answer = await call({ context, company }, 'GET', 'token').catch(() => ({ Statut: 'Accès activé' }))",
    ],
  ],
  'exceeded quota without the time to wait': [
    [
      'yalidine',
      'api.ts',
      'if (!answer.ok) throw problemOf(account.context, account.company.label, answer, { method })',
      'if (!answer.ok) throw problemOf(account.context, account.company.label, { ...answer, headers: new Headers() }, { method })',
    ],
    [
      'zimou',
      'api.ts',
      'if (!answer.ok) throw problemOf(context, label, answer, { method })',
      "if (answer.status === 429) throw new CarrierError('unavailable', 'Later.')\n  if (!answer.ok) throw problemOf(context, label, answer, { method })",
    ],
  ],
  'refusal read as a parcel': [
    [
      'zimou',
      'api.ts',
      "throw new CarrierError('refused', `${label} refused: ${said ?? 'it gave no reason'}`, { code: 'refused', ...(said && { message: said }) })",
      'return { data: { tracking_code: `ZEX-${said?.length}` } }',
    ],
    ['ecotrack', 'api.ts', 'if (isRow(value) && isRefusal(value)) throw refusalFor(account, value)\n', '\n'],
    ['noest', 'api.ts', 'throw refusalOf(row)\n}', "return { ...row, tracking: 'NSM-31A-0' }\n}"],
  ],
}
