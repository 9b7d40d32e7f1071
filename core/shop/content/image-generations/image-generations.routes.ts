import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { List, pageQuery } from '../../../http/schema.ts'
import { GalleryImage } from './image-generations.model.ts'
import { listGalleryImages } from './image-generations.queries.ts'

/** Route that lists the images that stores have published. */
export const imageGallery = ({ sql, auth }: Context) =>
  new Elysia({ name: 'image-gallery', prefix: '/v1/image_generations' })
    .use(auth)
    .get('/gallery', ({ query }) => readKeysetPage(query, (before, take) => listGalleryImages(sql, before, take)), {
      access: 'stores:read',
      query: T.Object(pageQuery),
      response: List(GalleryImage),
      detail: {
        tags: ['Image generations'],
        summary: 'List generated images that stores have published, newest first',
        operationId: 'imageGeneration.gallery',
      },
    })
