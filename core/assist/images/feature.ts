import { feature } from '../../feature.ts'
import { drawGeneration } from './generate.ts'
import { imageDrawing } from './images.routes.ts'

/** Draws what stores ask for. */
export default feature('images', {
  routes: [imageDrawing],
  jobs: { 'images.draw': { work: drawGeneration } },
})
