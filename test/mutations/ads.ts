// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations, Planting } from './plant.ts'

/** Faults in events. */
const eventFaults: Mutations = {
  'personal data sent in plain text': [
    ['meta', 'events.ts', 'em: await hashedAs(normalEmail, email)', 'em: email'],
    ['meta', 'events.ts', 'external_id: await hashedAs(trimmedOrUndefined, externalId)', 'external_id: externalId'],
    ['tiktok', 'events.ts', 'phone: await hashedAs(phoneWithPlus, phone)', 'phone'],
  ],
  'hash of a wrong format': [
    ['meta', 'events.ts', 'hashedAs(normalEmail, email)', 'hashedAs(trimmedOrUndefined, email)'],
    ['meta', 'events.ts', 'hashedAs(phoneDigits, phone)', 'hashedAs((typed) => `+${phoneDigits(typed)}`, phone)'],
    ['tiktok', 'events.ts', 'hashedAs(phoneWithPlus, phone)', 'hashedAs((typed) => phoneWithPlus(typed)?.slice(1), phone)'],
    ['meta', 'events.ts', 'hashedAs(normalCountry, country)', 'hashedAs(trimmedOrUndefined, country)'],
  ],
  'plain field hashed': [
    ['meta', 'events.ts', 'client_ip_address: ip', 'client_ip_address: await hashedAs(trimmedOrUndefined, ip)'],
    ['tiktok', 'events.ts', 'user_agent: userAgent', 'user_agent: await hashedAs(trimmedOrUndefined, userAgent)'],
  ],
  'country code invented for a phone number': [
    ['meta', 'events.ts', 'hashedAs(phoneDigits, phone)', "hashedAs((typed) => phoneDigits(typed.replace(/^0/, '+213')), phone)"],
    ['tiktok', 'events.ts', 'hashedAs(phoneWithPlus, phone)', "hashedAs((typed) => phoneWithPlus(typed.replace(/^0/, '+213')), phone)"],
  ],
  'event id left out, or new each time': [
    ['meta', 'events.ts', 'event_id: event.id,', ''],
    ['tiktok', 'events.ts', 'event_id: event.id,', 'event_id: crypto.randomUUID(),'],
    ['tiktok', 'events.ts', 'event_id: event.id,', 'event_id: `${event.id}-${Date.now()}`,'],
  ],
  'wrong time of an event': [
    ['meta', 'events.ts', 'event_time: event.at,', 'event_time: Math.floor(Date.now() / 1000),'],
    ['tiktok', 'events.ts', 'event_time: event.at,', 'event_time: event.at * 1000,'],
  ],
  'value in the wrong unit': [
    ['meta', 'events.ts', '    value,\n', '    value: value && value * 100,\n'],
    ['tiktok', 'events.ts', '    value,\n', '    value: value && Math.round(value),\n'],
    ['meta', 'events.ts', 'item_price: price', 'item_price: price && price * 100'],
    ['tiktok', 'events.ts', 'content_id: id, quantity, price,', 'content_id: id, quantity: 1, price,'],
  ],
  'click lost, or with a wrong time': [
    ['meta', 'events.ts', 'clickedAt ?? at * 1000', 'clickedAt ?? at'],
    ['tiktok', 'events.ts', 'ttclid: clickId,', 'ttclid: browserId,'],
  ],
  'test event sent as real, or the reverse': [
    ['meta', 'events.ts', '...(testCode !== undefined && { test_event_code: testCode })', "test_event_code: testCode ?? 'TEST12345'"],
    ['tiktok', 'events.ts', '...(testCode !== undefined && { test_event_code: testCode }),', ''],
  ],
  'one invalid event fails the others': [
    [
      'meta',
      'events.ts',
      'sendParted(events, EVENTS_AT_ONCE, (part) => send(context, pixelId, part))',
      'send(context, pixelId, events).then(() => ({ accepted: events.map(({ id }) => id), refused: [] }))',
    ],
    [
      'tiktok',
      'events.ts',
      'sendParted(events, EVENTS_AT_ONCE, (part) => send(context, pixelId, part))',
      'send(context, pixelId, events).then(() => ({ accepted: events.map(({ id }) => id), refused: [] }), (error) => ({ accepted: [], refused: events.map(({ id }) => ({ id, why: error.message })) }))',
    ],
  ],
  'too many events in a request': [['tiktok', 'events.ts', 'sendParted(events, EVENTS_AT_ONCE, (part)', 'sendParted(events, 1000, (part)']],
}

/** Faults in requests, and in reading answers. */
const readFaults: Mutations = {
  'money in the wrong unit': [
    ['meta', 'reads.ts', 'dailyBudget: majorOfMinor(row.daily_budget, places)', 'dailyBudget: majorOfMinor(row.daily_budget, 0)'],
    ['meta', 'insights.ts', 'majorAmount(row.spend)', 'majorAmount(String(Number(row.spend) / 100))'],
    ['tiktok', 'reads.ts', 'dailyBudget: majorAmount(row.budget)', 'dailyBudget: majorAmount(Number(row.budget) / 100)'],
    ['tiktok', 'insights.ts', 'majorAmount(metrics.spend)', 'majorAmount(Math.round(Number(metrics.spend)))'],
  ],
  'one unusual name or URL hides all others': [
    ['meta', 'insights.ts', 'adName: printed(row.ad_name, NAME_MAX)', 'adName: text(row.ad_name)'],
    ['tiktok', 'reads.ts', 'name: printed(row[`${kind}_name`], NAME_MAX) ?? id', 'name: text(row[`${kind}_name`]) ?? id'],
    ['meta', 'reads.ts', 'pageAddress(story.link_data.link)', 'text(story.link_data.link)'],
    ['tiktok', 'reads.ts', 'pageAddress(row.landing_page_url)', 'text(row.landing_page_url)'],
  ],
  'purchase counted more than once': [
    [
      'meta',
      'insights.ts',
      'Math.max(0, Math.round(number(found?.value) ?? 0))',
      'actions.filter(({ action_type }) => names.includes(String(action_type))).reduce((sum, one) => sum + (number(one.value) ?? 0), 0)',
    ],
    ['meta', 'insights.ts', 'leads: countOf(actions, LEADS)', 'leads: countOf(actions, PURCHASES)'],
  ],
  'day left out, or shifted': [
    ['meta', 'insights.ts', 'since: period.from, until: period.to', 'since: period.from, until: period.from'],
    ['tiktok', 'insights.ts', 'end_date: to,', 'end_date: from,'],
    ['meta', 'insights.ts', ', time_increment: 1 }', ' }'],
    [
      'tiktok',
      'insights.ts',
      '.slice(0, 10), majorAmount',
      '.replace(/(\\d\\d) .*/, (_, day) => String(Number(day) - 1).padStart(2, "0")), majorAmount',
    ],
  ],
  'list ends after its first page': [
    ['meta', 'graph.ts', 'present({ cursor: text(cursors.after) })', '{}'],
    ['tiktok', 'api.ts', '...(page < pages && { cursor: String(page * page_size) })', ''],
    ['tiktok', 'api.ts', 'page < pages && {', 'page + 1 < pages && {'],
  ],
  'cursor does not advance': [
    ['meta', 'reads.ts', 'fields: CAMPAIGN_FIELDS, limit, after: cursor', 'fields: CAMPAIGN_FIELDS, limit, after: undefined'],
    ['tiktok', 'api.ts', 'cursor === undefined ? 0 : Number(cursor)', '0'],
    ['tiktok', 'api.ts', '.slice(read % page_size)', ''],
    ['meta', 'report.ts', ', limit, after: cursor }', ', limit }'],
    ['meta', 'report.ts', '{ limit, after: after || undefined }', '{ limit }'],
    [
      'meta',
      'report.ts',
      "if (status === DONE) return pageOfReport(context, report, '', limit)",
      'if (status === DONE) return { rows: [] }',
    ],
  ],
  'status read wrongly': [
    ['meta', 'reads.ts', "WITH_ISSUES: 'active',\n  PAUSED: 'paused'", "WITH_ISSUES: 'active',\n  PAUSED: 'active'"],
    ['tiktok', 'reads.ts', "DISABLE: 'paused'", "DISABLE: 'ended'"],
  ],
  'rows of another campaign or account': [
    ['meta', 'reads.ts', '`${campaignId ?? accountId}/adsets`', '`${accountId}/adsets`'],
    ['meta', 'reads.ts', '`${adSetId ?? campaignId ?? accountId}/ads`', '`${accountId}/ads`'],
    ['tiktok', 'reads.ts', '...(campaignId !== undefined && { campaign_ids: [campaignId] }),', ''],
    ['meta', 'reads.ts', 'inAccount(accountId, [row])', '[row]'],
    ['meta', 'reads.ts', 'inAccount(accountId, page.rows), adIn', 'page.rows, adIn'],
    ['meta', 'reads.ts', 'inAccount(accountId, page.rows), (row): AdSet', 'page.rows, (row): AdSet'],
  ],
  'wrong time zone or currency of an account': [
    ['meta', 'reads.ts', 'text(row.timezone_name)', "text('UTC')"],
    ['tiktok', 'reads.ts', 'text(row.display_timezone) ?? text(row.timezone)', "text('Asia/Riyadh')"],
    ['meta', 'reads.ts', '[word(row.id), text(row.currency)', "[word(row.id), text('EUR')"],
  ],
  'pixel id that events do not accept': [['tiktok', 'reads.ts', 'word(row.pixel_code)', 'word(row.pixel_id)']],
  'error with status 200 read as success': [
    ['tiktok', 'api.ts', 'if (code === OK) return', 'if (code < OVER_QUOTA) return'],
    ['tiktok', 'api.ts', 'if (code === OK) return', 'if (answer.ok) return'],
  ],
  'empty or unreadable answer accepted': [
    ['meta', 'events.ts', "if (number(received) === undefined) throw unreadable(LABEL, 'not how many events it received')", ''],
    ['meta', 'graph.ts', "if (!Array.isArray(data)) throw unreadable(LABEL, 'no list')", 'if (!Array.isArray(data)) return { rows: [] }'],
    [
      'tiktok',
      'api.ts',
      "if (!isRow(answer.value) || code === undefined) throw unreadable(LABEL, 'no code')",
      'if (code === undefined) return {}',
    ],
    ['tiktok', 'api.ts', "if (!Array.isArray(data.list)) throw unreadable(LABEL, 'no list')", ''],
  ],
  'exceeded quota or expired token reported as a refusal': [
    ['meta', 'graph.ts', 'const OVER_QUOTA = [4, 17, 32, 613]', 'const OVER_QUOTA = [5]'],
    ['tiktok', 'api.ts', 'const OVER_QUOTA = 40_100', 'const OVER_QUOTA = 40_109'],
    ['meta', 'graph.ts', 'const DEAD_TOKEN = [102, 190]', 'const DEAD_TOKEN = [102]'],
    ['tiktok', 'api.ts', 'const DEAD_TOKEN = 40_105', 'const DEAD_TOKEN = 40_106'],
  ],
  'secret in a URL': [
    ['meta', 'graph.ts', 'query: { ...query, ...(proof', 'query: { ...query, access_token: accessToken, ...(proof'],
    ['tiktok', 'api.ts', '...(query && { query }),', 'query: { ...query, access_token: accessToken },'],
  ],
  'call without proof of the app': [
    ['meta', 'graph.ts', '...(proof && { appsecret_proof: proof })', ''],
    ['meta', 'graph.ts', 'hmacSha256(clientSecret, accessToken)', 'hmacSha256(accessToken, clientSecret)'],
  ],
}

export const ads: Planting = {
  kind: 'ads',
  mutations: { ...eventFaults, ...readFaults },
  sampleSize: 2,
  atLeast: { sorts: 20, faults: 50 },
}
