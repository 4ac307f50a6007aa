# The service as one program, in an image without a shell or a package manager.
#
#   docker build -t personal-records-service .
#   docker run -p 8000:8000 -v prs:/data -e PUBLIC_ORIGIN=https://records.example.org personal-records-service

# Both images are pinned by the digest of their index, which covers every platform. The chapter of programs, "In a
# container", says how to find a newer one. Podman does not look for a name without a registry.
FROM docker.io/denoland/deno:debian-2.9.6@sha256:2014dc167ece617ef7e7ba40631ac2234c59e75ce693e7cc2dc2602b3c87859d AS build
WORKDIR /build
# The packed program may write where DATA_DIR lies while it is packed, and nowhere else.
ENV DATA_DIR=/data
COPY deno.json deno.lock main.ts ./
COPY scripts/compile.ts ./scripts/
COPY src ./src
COPY sql ./sql
# Deno checks the packages against deno.lock, and fails rather than change it.
RUN deno install --frozen && deno task compile && mkdir /data

FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
COPY LICENSE /LICENSE
COPY --from=build /build/dist/personal-records-service /usr/local/bin/personal-records-service
# A new volume takes owner and mode of the folder that it is mounted on.
COPY --from=build --chown=65532:65532 --chmod=700 /data /data
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=8000
# Freed memory goes back to the system, as with `deno task start`.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072
VOLUME /data
EXPOSE 8000
# "nonroot" by number, so that an orchestrator can see that it is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
# The first start makes the database, and a restart may have a log to replay.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/personal-records-service", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/personal-records-service"]
