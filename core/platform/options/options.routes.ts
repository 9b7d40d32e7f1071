import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { Configs, Option, OptionChange, OptionKey } from './options.model.ts'
import { findOption, listOptions } from './options.queries.ts'

const describe = tagOperations('Configuration')
const ByKey = T.Object({ key: OptionKey })

/** Builds the routes of the platform's options and public configuration. */
export const optionRoutes = ({ auth, sql, config, optionCache }: Context) =>
  new Elysia({ name: 'options', prefix: '/v1' })
    .use(auth)
    .get(
      '/configs',
      async () => {
        const all = await optionCache.all()
        return {
          data: {
            openSignup: config.openSignup,
            defaultLanguage: config.defaultLanguage,
            languages: ['en', 'fr', 'ar'],
            defaultCountry: config.defaultCountry ?? null,
            options: Object.fromEntries(all.flatMap(({ key, value, isPublic }) => (isPublic ? [[key, value]] : []))),
          },
        }
      },
      {
        open: true,
        response: Data(Configs),
        detail: describe('Read the public settings and options of this server', 'readConfigs'),
      },
    )
    .get(
      '/options',
      ({ query }) =>
        readKeysetPage(
          query,
          (after, take) => listOptions(sql, after, take),
          ({ key }) => key,
        ),
      {
        user: 'admin',
        query: T.Object(pageQuery),
        response: List(Option),
        detail: describe('List options, by key', 'listOptions'),
      },
    )
    .post(
      '/options/reload',
      async ({ set }) => {
        await optionCache.reload()
        set.status = 204
      },
      {
        user: 'admin',
        response: { 204: T.Void() },
        detail: describe('Reload the options in every process; changes apply everywhere within a second anyway', 'reloadOptions'),
      },
    )
    .get(
      '/options/:key',
      async ({ params }) => {
        const found = await findOption(sql, params.key)
        if (!found) throw notFound('The option')
        return { data: found }
      },
      { user: 'admin', params: ByKey, response: Data(Option), detail: describe('Read an option', 'readOption') },
    )
    .put('/options/:key', async ({ params, body }) => ({ data: await optionCache.put(params.key, body) }), {
      user: 'admin',
      params: ByKey,
      body: OptionChange,
      response: Data(Option),
      detail: describe('Set an option', 'putOption'),
    })
    .delete(
      '/options/:key',
      async ({ params, set }) => {
        if (!(await optionCache.remove(params.key))) throw notFound('The option')
        set.status = 204
      },
      { user: 'admin', params: ByKey, response: { 204: T.Void() }, detail: describe('Delete an option', 'deleteOption') },
    )
