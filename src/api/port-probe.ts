// A server that answers nothing: whoever is about to do much before the real one listens learns from it whether that can.
import { type FastifyInstance, fastify } from 'fastify';

export const createPortProbe = (): FastifyInstance => fastify({ logger: false });
