# buildsearch in a container: not as root, kernels compiled when the image is built. Scores and results are volumes:
#   docker build --build-arg VERSION=0.2.0 -t buildsearch .
#   docker run --rm -v "$PWD/results:/work/results" -v buildsearch-cache:/cache buildsearch optimize --budget 4
#   docker run --rm -v "$PWD:/work" -v buildsearch-cache:/cache buildsearch check
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
# Without the history of git the version has to be told; hatch-vcs reads it here.
ARG VERSION=0.2.0.dev0
ENV SETUPTOOLS_SCM_PRETEND_VERSION_FOR_BUILDSEARCH=${VERSION}
RUN python -m venv /opt/buildsearch \
    && /opt/buildsearch/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt .

FROM python:3.12-slim
RUN useradd --create-home --uid 1000 player \
    && mkdir -p /work/results /cache /kernels \
    && chown -R player /work /cache /kernels
COPY --from=build /opt/buildsearch /opt/buildsearch
ENV PATH=/opt/buildsearch/bin:$PATH \
    BUILDSEARCH_CACHE=/cache \
    NUMBA_CACHE_DIR=/kernels \
    # Kernels of any x86-64 or ARM machine, not only of the one that builds the image.
    NUMBA_CPU_NAME=generic
USER player
WORKDIR /work
# What a first run would compile: solving, sampling and ranking.
RUN buildsearch optimize --budget 2 --no-cache --quiet --out /tmp/first \
    && buildsearch score melee_dg >/dev/null \
    && rm -rf /tmp/first && buildsearch doctor
VOLUME ["/work/results", "/cache"]
ENTRYPOINT ["buildsearch"]
CMD ["--help"]
