import { spreadsheet } from 'serai/spreadsheet'
import { callBases } from './api.ts'
import { create, list } from './bases.ts'
import { type Context, credentials, HOSTS, LABEL, settings } from './fields.ts'
import { headers, writeHeaders } from './headers.ts'
import { append, findRows, read, updateRows } from './rows.ts'
import { tabs } from './tables.ts'

async function testConnection(context: Context) {
  await callBases(context)
  return {}
}

export default spreadsheet({
  slug: 'airtable',
  label: LABEL,
  website: 'https://airtable.com/developers/web/api/introduction',
  net: Object.values(HOSTS),
  credentials,
  settings,
  // Quota per base; here it applies to all bases of an account.
  rateWindows: [{ calls: 5, seconds: 1 }],
  // Ten write calls and a few lookups, done in seconds within the quota.
  rowsAtOnce: 100,
  branded: ['files', 'tabsOfFile'],
  provider: 'airtable',
  oauth: {
    authorizeUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    client: { id: 'clientId', secret: 'clientSecret' },
    clientAuth: 'basic',
    scopes: ['data.records:read', 'data.records:write', 'schema.bases:read', 'schema.bases:write'],
    refresh: 'rotating',
  },
  testConnection,
  list,
  create,
  tabs,
  headers,
  writeHeaders,
  append,
  findRows,
  updateRows,
  read,
})
