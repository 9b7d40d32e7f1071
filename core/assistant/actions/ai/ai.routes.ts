import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { Data } from '../../../http/schema.ts'
import { StoredFile } from '../../../platform/files/files.model.ts'
import {
  CodeWish,
  DateWish,
  FilterWish,
  ImageWish,
  LogoWish,
  ProductWish,
  ShippingWish,
  SuggestedChange,
  SuggestedDates,
  SuggestedFilter,
  VoiceWish,
  WrittenCode,
} from './ai.model.ts'
import { suggestProduct, suggestShipping } from './ai-changes.ts'
import { makeImage, makeLogo, makeVoice } from './ai-media.ts'
import { suggestDates, suggestFilter, writeCode } from './ai-words.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Actions'], summary, operationId })

/** Whoever goes away needs no answer. */
const signalOf = ({ signal }: Request) => ({ signal })

/** What the code that is asked for is to be. */
const tasks = {
  simple: 'Write a small piece for a page of the shop.',
  component:
    'Write one component for a page of the shop: it stands alone, is called by its data, loads nothing from elsewhere and reads no cookies.',
}

/** Work of models that answers what is then looked at: suggestions, filters, code. */
export const suggestions = (context: Context) =>
  new Elysia({ name: 'suggesting actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post(
      '/updateProductUsingAi',
      async ({ store, body, request }) => ({ data: await suggestProduct(context, store, body, signalOf(request)) }),
      {
        store: ['admin', 'products:write'],
        body: ProductWish,
        response: Data(SuggestedChange),
        detail: describe('A change of a product in your words: shown, or made at once', 'updateProductUsingAi'),
      },
    )
    .post(
      '/updateShippingPriceUsingAi',
      async ({ store, body, request }) => ({ data: await suggestShipping(context, store, body, signalOf(request)) }),
      {
        store: ['admin', 'stores:write'],
        body: ShippingWish,
        response: Data(SuggestedChange),
        detail: describe('A change of what delivery costs in your words: shown, or made at once', 'updateShippingPriceUsingAi'),
      },
    )
    .post(
      '/generateListFilterUsingAi',
      async ({ store, body, request }) => ({ data: await suggestFilter(context, store, body, signalOf(request)) }),
      {
        store: ['agent', 'stores:read'],
        body: FilterWish,
        response: Data(SuggestedFilter),
        detail: describe('How a list is filtered for what you look for', 'generateListFilterUsingAi'),
      },
    )
    .post(
      '/generateDatePresetUsingAi',
      async ({ store, body, request }) => ({ data: await suggestDates(context, store, body, signalOf(request)) }),
      {
        store: ['agent', 'stores:read'],
        body: DateWish,
        response: Data(SuggestedDates),
        detail: describe('The days that you mean', 'generateDatePresetUsingAi'),
      },
    )
    .post(
      '/generateSimpleCode',
      async ({ store, body, request }) => ({ data: await writeCode(context, store, tasks.simple, body, signalOf(request)) }),
      {
        store: ['admin', 'stores:write'],
        body: CodeWish,
        response: Data(WrittenCode),
        detail: describe('A piece of code for a page, as text', 'generateSimpleCode'),
      },
    )
    .post(
      '/generateCustomComponentCode',
      async ({ store, body, request }) => ({ data: await writeCode(context, store, tasks.component, body, signalOf(request)) }),
      {
        store: ['admin', 'stores:write'],
        body: CodeWish,
        response: Data(WrittenCode),
        detail: describe("A component of the store's own, as text", 'generateCustomComponentCode'),
      },
    )

/** Work of models that is kept among the files of the store. */
export const makings = (context: Context) =>
  new Elysia({ name: 'making actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post(
      '/editOrGenerateSimpleImage',
      ({ store, body, request, caller, set }) => makeImage(context, store, { request, caller, set, body }, body),
      {
        store: ['admin', 'stores:write'],
        body: ImageWish,
        response: { 201: Data(StoredFile) },
        detail: describe('Draw a picture, or change one of the store', 'editOrGenerateSimpleImage'),
      },
    )
    .post('/generateLogo', ({ store, body, request, caller, set }) => makeLogo(context, store, { request, caller, set, body }, body), {
      store: ['admin', 'stores:write'],
      body: LogoWish,
      response: { 201: Data(StoredFile) },
      detail: describe('Draw a logo', 'generateLogo'),
    })
    .post(
      '/generateVoiceover',
      ({ store, body, request, caller, set }) => makeVoice(context, store, { request, caller, set, body }, body),
      {
        store: ['admin', 'stores:write'],
        body: VoiceWish,
        response: { 201: Data(StoredFile) },
        detail: describe('Have a text spoken', 'generateVoiceover'),
      },
    )
