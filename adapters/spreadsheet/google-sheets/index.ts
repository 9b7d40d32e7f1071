import { spreadsheet } from 'serai/spreadsheet'
import { type Context, credentials, HOSTS, settings } from './fields.ts'
import { create, fetchFilePage, list } from './files.ts'
import { headers, writeHeaders } from './headers.ts'
import { append, findRows, nameRows, read, updateRows } from './rows.ts'
import { tabs } from './tabs.ts'

async function testConnection(context: Context) {
  await fetchFilePage(context, 1)
  return {}
}

export default spreadsheet({
  slug: 'google-sheets',
  label: 'Google Sheets',
  website: 'https://developers.google.com/workspace/sheets',
  net: Object.values(HOSTS),
  credentials,
  settings,
  // Quota per user; Google counts reads and writes separately.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['files', 'tabsOfFile'],
  provider: 'google',
  oauth: {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    client: { id: 'clientId', secret: 'clientSecret' },
    // Access to files that this server created or the user chose, and no others.
    scopes: ['https://www.googleapis.com/auth/drive.file'],
    // Google issues a refresh token at the first consent only, unless consent is requested again.
    parameters: { authorize: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' } },
    refresh: 'kept',
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
  nameRows,
  read,
})
