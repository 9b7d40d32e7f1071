import { spreadsheet } from 'serai/spreadsheet'
import { credentials, label, settings } from './fields.ts'
import { append, create, findRows, headers, list, read, tabs, updateRows, writeHeaders } from './tables.ts'

export default spreadsheet({
  slug: 'example',
  label,
  net: ['api.example.com'], // the only hosts that it can reach
  credentials,
  settings,
  rateWindows: [{ calls: 60, seconds: 60 }],
  provider: 'example', // sign-in provider of an adapter with `oauth`

  async testConnection(context) {
    await list(context)
    return {}
  },

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
