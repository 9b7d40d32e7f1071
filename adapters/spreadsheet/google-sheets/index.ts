import { spreadsheet } from 'serai/spreadsheet'
import { type Context, credentials, HOSTS, settings } from './fields.ts'
import { askFiles, create, list } from './files.ts'
import { headers, writeHeaders } from './headers.ts'
import { append, findRows, nameRows, read, updateRows } from './rows.ts'
import { tabs } from './tabs.ts'

async function testConnection(context: Context) {
  await askFiles(context, 1)
  return {}
}

export default spreadsheet({
  slug: 'google-sheets',
  label: 'Google Sheets',
  website: 'https://developers.google.com/workspace/sheets',
  net: Object.values(HOSTS),
  credentials,
  settings,
  // Of one person; reads and writes are counted apart there, and together here.
  rateWindows: [{ calls: 60, seconds: 60 }],
  branded: ['files', 'tabsOfFile'],
  provider: 'google',
  oauth: {
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revokeUrl: 'https://oauth2.googleapis.com/revoke',
    client: { id: 'clientId', secret: 'clientSecret' },
    // Files that this server made, or that its people chose for it: nothing else of theirs.
    scopes: ['https://www.googleapis.com/auth/drive.file'],
    // A refresh token comes with the first yes, and afterwards only where that is asked for again.
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
