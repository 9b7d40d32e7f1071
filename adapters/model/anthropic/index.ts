import { model } from 'serai/model'
import { complete } from './complete.ts'
import { type Context, credentials, label, settings } from './fields.ts'
import { models } from './models.ts'

async function testConnection(context: Context) {
  await models(context)
  return {}
}

/** Models of Anthropic, by its own interface. */
export default model({
  slug: 'anthropic',
  label,
  website: 'https://platform.claude.com',
  net: ['api.anthropic.com'],
  credentials,
  settings,
  // What an account may ask depends on its standing there: a guess.
  rateWindows: [{ calls: 50, seconds: 60 }],
  currency: 'USD',
  testConnection,
  models,
  complete,
})
