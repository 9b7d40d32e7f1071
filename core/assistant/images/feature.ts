import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { drawGeneration } from './generate-images.ts'
import { imageDrawing } from './images.routes.ts'

/** Generates the images of image generations with AI models. */
export default feature('images', {
  routes: [imageDrawing],
  jobs: { 'images.generate': { work: drawGeneration } },
  personalData: [
    eraseBySearch({
      table: 'image_generations',
      owner: 'project',
      key: ['id'],
      columns: { name: 'text', prompt: 'text', negative_prompt: 'text', failure: 'text' },
      created: 'created_at',
    }),
  ],
})
