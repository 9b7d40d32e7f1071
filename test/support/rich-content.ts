import type { Shop, TestApp } from './app.ts'
import { upload } from './uploads.ts'

/** One of each of what a store shows besides its goods, and of nothing that anybody sees. */
export async function richContent({ ok, call }: TestApp, { storeId, key }: Shop) {
  const made = async (path: string, body: object): Promise<{ readonly id: string }> =>
    (await ok('POST', path, { as: key, body: { storeId, ...body } })).data
  return {
    category: await made('/v1/categories', { name: 'Shoes', slug: 'shoes' }),
    page: await made('/v1/pages', { title: 'About us', slug: 'about' }),
    template: await made('/v1/templates', { name: 'Plain' }),
    landingTemplate: await made('/v1/product_landing_page_templates', { name: 'Plain' }),
    promptTemplate: await made('/v1/image_prompt_templates', { name: 'Plain', prompt: 'a shoe on sand' }),
    imageGeneration: await made('/v1/image_generations', { prompt: 'a shoe on sand' }),
    feedback: await made('/v1/feedbacks', { name: 'Amina', text: 'Fits well', rating: 5 }),
    file: (await upload({ call }, key, 'a;b\n', { name: 'prices.csv' })).body.data as { readonly id: string },
  }
}

interface Rich {
  readonly content: Awaited<ReturnType<typeof richContent>>
}

/** What `{id}` is under each path. */
export const contentSubjects: readonly [RegExp, (tenant: Rich) => string][] = [
  [/^\/v1\/categories\//, ({ content }) => content.category.id],
  [/^\/v1\/pages\//, ({ content }) => content.page.id],
  [/^\/v1\/templates\//, ({ content }) => content.template.id],
  [/^\/v1\/product_landing_page_templates\//, ({ content }) => content.landingTemplate.id],
  [/^\/v1\/image_prompt_templates\//, ({ content }) => content.promptTemplate.id],
  [/^\/v1\/image_generations\//, ({ content }) => content.imageGeneration.id],
  [/^\/v1\/files\//, ({ content }) => content.file.id],
  [/^\/v1\/feedbacks\//, ({ content }) => content.feedback.id],
  [/^\/v1\/countries\/.*\/cities\//, () => '1601'],
  [/^\/v1\/currencies\//, () => 'DZD'],
]

/** Parameters that mean the same wherever they stand in a path. */
export const contentParameters: Readonly<Record<string, string>> = { country_code: 'DZ', state_code: '16', slug: 'about' }
