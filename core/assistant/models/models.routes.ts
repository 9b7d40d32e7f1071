import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data } from '../../http/schema.ts'
import { listAvailableModels, presentModel } from './available-models.ts'
import { AiModel } from './models.model.ts'

/** Route that lists the AI models of a project. */
export const aiModels = (context: Context) =>
  new Elysia({ name: 'ai models', prefix: '/v1/ai' })
    .use(context.auth)
    .get('/models', async ({ project }) => ({ data: (await listAvailableModels(context, { projectId: project.id })).map(presentModel) }), {
      project: ['viewer', 'ai:read'],
      response: Data(T.Array(AiModel)),
      detail: {
        tags: ['Assistants'],
        summary: 'List AI models with their inputs, outputs and prices',
        operationId: 'listAiModels',
      },
    })
